import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { doomedProcesses } from './doomed-processes.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'tds-doomed-'));
const program = path.join(dir, 'program.mjs');
const doomed = doomedProcesses(program, () => ({}));
afterAll(() => {
  doomed.stop();
  rmSync(dir, { recursive: true });
});

const dieAsking = (body: string) => {
  writeFileSync(program, body);
  return doomed.dieAt('transaction-committed:create-key');
};
const killedAt = (place: string) =>
  `console.error('killed itself at ${place}'); process.kill(process.pid, 'SIGKILL');`;

it('a process that dies at its crash point is dead', async () => {
  await dieAsking(killedAt('transaction-committed:create-key'));
});

it.each([
  ['while it handles something else', killedAt('transaction-committed:send-code')],
  ['at a point that names nothing', killedAt('transaction-committed')],
  ['by another hand', `process.kill(process.pid, 'SIGKILL');`],
  ['by an error', 'process.exit(1);'],
])('a process that dies %s fails the test', async (_how, body) => {
  await expect(dieAsking(body)).rejects.toThrow('instead of transaction-committed:create-key');
});
