import { afterEach, describe, expect, it } from 'vitest';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { turn } from '../test-support/turn.ts';
import type { ClaimedTask } from './claim-tasks.ts';
import { createSuspects } from './suspects.ts';
import type { WorkerPool } from './worker-pool.ts';

const suspect = { id: 'a', name: 'do-work' } as unknown as ClaimedTask;

describe('the look for suspects', () => {
  let ending = new AbortController();
  afterEach(() => {
    ending.abort();
    ending = new AbortController();
  });

  /** A process with one worker pool, on a database that has a suspect until somebody claims it. */
  const setUp = ({ has = true, claimed = suspect as ClaimedTask | Error | null } = {}) => {
    const events: string[] = [];
    const idle = Promise.withResolvers<void>();
    const query = async (given: string | { readonly name: string }) => {
      if (typeof given !== 'string') return { rows: [], rowCount: has ? 1 : 0 };
      events.push('claim');
      if (claimed instanceof Error) throw claimed;
      return { rows: claimed ? [claimed] : [] };
    };
    const workerPool = {
      task: { wireName: 'do-work', leaseMs: 1_000 },
      whenIdle: () => idle.promise,
      begin: ({ id }: ClaimedTask) => void events.push(`begin ${id}`),
    } as unknown as WorkerPool;
    const pump = {
      whenIdle: async () => {},
      hold: () => {
        events.push('hold');
        return () => void events.push('let go');
      },
    };
    const runtime = { pool: { query } } as unknown as StoreRuntime;
    const suspects = createSuspects(runtime, new Map([['do-work', workerPool]]), pump);
    return { events, idle, look: () => suspects.look(ending.signal) };
  };

  it('keeps nobody from beginning while there is none', async () => {
    const { events, look } = setUp({ has: false });
    await look();
    expect(events).toEqual([]);
  });

  it('lets nothing begin, waits until nothing runs, and only then takes one', async () => {
    const { events, idle, look } = setUp();
    const looking = look();
    await turn();
    expect(events).toEqual(['hold']);
    idle.resolve();
    await turn();
    expect(events.slice(0, 3)).toEqual(['hold', 'claim', 'begin a']);
    ending.abort();
    await looking;
    expect(events.at(-1)).toBe('let go');
  });

  it('lets the others go on where another instance was first', async () => {
    const { events, idle, look } = setUp({ claimed: null });
    idle.resolve();
    const looking = look();
    await turn();
    expect(events).toEqual(['hold', 'claim', 'let go']);
    ending.abort();
    await looking;
  });

  it('lets the others go on where the claim fails, and says so to whoever asked', async () => {
    const { events, idle, look } = setUp({ claimed: new Error('the database is away') });
    idle.resolve();
    await expect(look()).rejects.toThrow('the database is away');
    expect(events.at(-1)).toBe('let go');
  });

  it('takes none any more when its process ends meanwhile: it would have to be given back', async () => {
    const { events, idle, look } = setUp();
    const looking = look();
    await turn();
    ending.abort();
    idle.resolve();
    await looking;
    expect(events).toEqual(['hold', 'let go']);
  });
});
