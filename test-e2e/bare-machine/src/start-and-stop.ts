import { setTimeout as delay } from 'node:timers/promises';
import { enter, insidersOf, type Visit } from './rooms.ts';

const FIRST_START_WITHIN_MS = 600_000;
const STOP_WITHIN_MS = 60_000;

const until = async (withinMs: number, condition: () => boolean): Promise<boolean> => {
  const deadline = performance.now() + withinMs;
  while (!condition() && performance.now() < deadline) await delay(50);
  return condition();
};

/** `npm start` until it serves, then SIGINT. Resolves to a sentence where anything is off, else null. */
export async function startsAndStops(
  visit: Omit<Visit, 'command'> & { readonly port: number },
): Promise<string | null> {
  const start = enter({ ...visit, command: ['npm', 'start'], env: { PORT: String(visit.port) } });
  let output = '';
  for (const stream of [start.stdout, start.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const wrong = (what: string): string => `✗ as ${visit.person.name}: ${what}. It said:\n${output}`;
  const hasEnded = () => start.exitCode !== null || start.signalCode !== null;

  await until(FIRST_START_WITHIN_MS, () => output.includes('Ready in') || hasEnded());
  if (!output.includes('Ready in')) return wrong('npm start did not get ready');
  const answer = await fetch(`http://127.0.0.1:${visit.port}/v1/openapi.json`);
  if (!answer.ok) return wrong(`the gateway answers ${answer.status}`);
  start.kill('SIGINT');
  await until(STOP_WITHIN_MS, hasEnded);
  if (start.exitCode !== 0) return wrong(`npm start ended with ${start.signalCode ?? start.exitCode}`);
  if (!(await until(STOP_WITHIN_MS, () => insidersOf(visit.root).length === 0)))
    return wrong('processes are left');
  return null;
}
