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
 * A point at which tests kill a process: with `CRASH_AT=<name>` and `NODE_ENV=test` it kills itself here.
 * Otherwise it does nothing. Services have points of their own beside the kit's `crashPoints`.
 */
export const crashPoint = (name: string): void => {
  if (crashAt !== undefined && crashAt === name) process.kill(process.pid, 'SIGKILL');
};
