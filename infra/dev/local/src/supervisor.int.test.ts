import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { createSupervisor, type ProcessSpec, type Supervisor } from './supervisor.ts';

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const node = (name: string, script: string, extra: Partial<ProcessSpec> = {}): ProcessSpec => ({
  name,
  command: process.execPath,
  args: ['-e', script],
  env: {},
  ...extra,
});
const untilStopped = "console.log('up'); setInterval(() => {}, 1000);";
const sayingGoodbye = `process.on('SIGTERM', () => { console.log('bye'); process.exit(0); }); ${untilStopped}`;

describe('createSupervisor', () => {
  let lines: string[];
  let supervisor: Supervisor;
  const said = (line: string) => eventually(() => expect(lines).toContain(line));

  beforeEach(() => {
    lines = [];
    supervisor = createSupervisor({
      write: (line) => lines.push(line),
      // What dies within a minute has died young, on a busy machine too.
      backoff: { firstMs: 10, maxMs: 60_000 },
    });
  });
  afterEach(() => supervisor.stop());

  it('starts a killed process again', async () => {
    const process1 = supervisor.start(node('one', untilStopped));
    await said('one | up');
    const killed = process1.pid ?? 0;
    process.kill(killed, 'SIGKILL');
    await eventually(() => expect(lines.filter((line) => line === 'one | up')).toHaveLength(2));
    expect(process1.restarts).toBe(1);
    expect(process1.pid).not.toBe(killed);
  });

  it('says that it waits longer each time for a process that dies young', async () => {
    supervisor.start({ name: 'weak', command: '/bin/sh', args: ['-c', 'exit 3'], env: {} });
    await said('weak | ended with 3: starting it again in 10 ms');
    await said('weak | ended with 3: starting it again in 20 ms');
    await said('weak | ended with 3: starting it again in 40 ms');
  });

  it('stops the last started first, and leaves no process behind', async () => {
    const first = supervisor.start(node('first', sayingGoodbye));
    const second = supervisor.start(node('second', sayingGoodbye));
    await said('first | up');
    await said('second | up');
    const pids = [first.pid ?? 0, second.pid ?? 0];
    await supervisor.stop();
    expect(lines.filter((line) => line.endsWith('bye'))).toEqual(['second | bye', 'first | bye']);
    expect(pids.map(isAlive)).toEqual([false, false]);
  });

  it('ends by force what does not stop in time', async () => {
    const deaf = `process.on('SIGTERM', () => {}); ${untilStopped}`;
    const stubborn = supervisor.start(node('deaf', deaf, { stopWithinMs: 50 }));
    await said('deaf | up');
    const pid = stubborn.pid ?? 0;
    await supervisor.stop();
    expect(isAlive(pid)).toBe(false);
  });

  it('does not start a process again that dies while all are being stopped', async () => {
    const fragile = supervisor.start(node('fragile', 'setInterval(() => {}, 1000)'));
    await supervisor.stop();
    // A timer of 10 ms that a stop had left would end before this one.
    await delay(30);
    expect(fragile.restarts).toBe(0);
    expect(fragile.pid).toBeUndefined();
  });
});
