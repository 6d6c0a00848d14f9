import { describe, expect, it } from '@jest/globals';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { turn } from '../test-support/turn.ts';
import { createSuspects } from './aside.ts';
import type { ClaimedTask } from './claim-tasks.ts';
import type { WorkerPool } from './worker-pool.ts';

/** A process with one worker pool, on a database with this number of suspects. */
const setUp = ({ count, probationMs = 60_000 }: { count: number; probationMs?: number }) => {
  const waiting = Array.from({ length: count }, (_, n) => ({ id: `${n}`, name: 'do-work' }));
  const rounds: number[] = [];
  const running: (() => void)[] = [];
  const query = async ({ values }: { values: readonly unknown[] }) => {
    const rows = waiting.splice(0, Number(values[2]));
    if (rows.length > 0) rounds.push(rows.length);
    return { rows };
  };
  const workerPool = {
    task: { wireName: 'do-work', leaseMs: 1_000 },
    begin: (_claimed: ClaimedTask) => new Promise<void>((resolve) => running.push(resolve)),
  } as unknown as WorkerPool;
  const runtime = { pool: { query } } as unknown as StoreRuntime;
  const suspects = createSuspects(runtime, new Map([['do-work', workerPool]]), probationMs);
  return { rounds, running, look: (signal = new AbortController().signal) => suspects.look(signal) };
};

describe('the look for suspects', () => {
  it('begins one, and the next when that has ended', async () => {
    const { rounds, running, look } = setUp({ count: 2 });
    const looking = look();
    await turn();
    expect(rounds).toEqual([1]);
    running[0]?.();
    await turn();
    expect(rounds).toEqual([1, 1]);
    running[1]?.();
    await looking;
  });

  it('begins twice as many after each probation, so that 250 of them have begun after eight', async () => {
    const { rounds, running, look } = setUp({ count: 250, probationMs: 1 });
    await look();
    expect(rounds).toEqual([1, 2, 4, 8, 16, 32, 64, 123]);
    expect(running).toHaveLength(250);
  });

  it('begins with one again at the next look', async () => {
    const { rounds, look } = setUp({ count: 3, probationMs: 1 });
    await look();
    await look();
    expect(rounds).toEqual([1, 2]);
  });

  it('takes no more when its process ends meanwhile: they would have to be given back', async () => {
    const ending = new AbortController();
    const { rounds, look } = setUp({ count: 2 });
    const looking = look(ending.signal);
    await turn();
    ending.abort();
    await looking;
    expect(rounds).toEqual([1]);
  });
});
