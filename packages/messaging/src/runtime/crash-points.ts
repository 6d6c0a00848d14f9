import { writeSync } from 'node:fs';
import { currentContext } from '@tds/base/internals';

/** Every moment of the kit between two commits at which a death must lose and double nothing; tests walk through them. */
export const crashPoints = [
  'transaction-committed',
  'relay-claimed',
  'relay-published',
  'relay-marked',
  'task-claimed',
  'task-handled',
  'task-completed',
  'task-failure-recorded',
  'event-received',
  'event-handled',
  'position-moved',
  'schedule-claimed',
  'schedule-handled',
] as const;

// Read once: it concerns the process, not a service, and must cost nothing if it is not set.
const crashAt = process.env.NODE_ENV === 'test' ? process.env.CRASH_AT : undefined;

/**
 * A point at which tests kill a process. With `NODE_ENV=test` and `CRASH_AT=<point>:<handling>` it kills itself here while it handles
 * the command, task, event or schedule of that name, with `CRASH_AT=<point>` whatever it handles, and says so on standard error.
 * Otherwise it does nothing. Services have points of their own beside the kit's `crashPoints`. `handling` is known inside of handlers.
 */
export const crashPoint = (point: string, handling?: string): void => {
  if (crashAt === undefined) return;
  const name = handling ?? currentContext()?.handling;
  const place = name === undefined ? point : `${point}:${name}`;
  if (crashAt !== point && crashAt !== place) return;
  writeSync(process.stderr.fd, `killed itself at ${place}\n`);
  process.kill(process.pid, 'SIGKILL');
};
