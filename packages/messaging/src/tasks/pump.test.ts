import { beforeEach, describe, expect, it } from '@jest/globals';
import { notedLog } from '@tds/base/testing';
import type { StoreRuntime } from '../runtime/runtime.ts';
import type { ClaimedTask } from './claim-tasks.ts';
import { createPump, type Pump } from './pump.ts';
import type { WorkerPool } from './worker-pool.ts';

type Asked = { readonly name: string; readonly limit: number };

const NO_LOOK = { firstMs: null, atMs: 50_000, xmin: 1, xmax: 1 };

/** A database with these numbers of due tasks by name, which records its requests. */
const fakeDatabase = (due: Map<string, number>) => {
  const claims: Asked[][] = [];
  const state = { failing: null as Error | null };
  /** The tasks of one queue, or a row without one. */
  const rowsOf = ({ name, limit }: Asked) => {
    const left = due.get(name) ?? 0;
    const got = Math.min(left, limit);
    due.set(name, left - got);
    const ids = got === 0 ? [null] : Array.from({ length: got }, (_, n) => `${name} ${left - n}`);
    return ids.map((id) => ({ ...NO_LOOK, name, id }));
  };
  const query = async ({ values }: { values: unknown[][] }) => {
    if (state.failing) throw state.failing;
    const [names = [], limits = []] = values as [string[], number[]];
    const asked = names.map((name, n) => ({ name, limit: limits[n] ?? 0 }));
    claims.push(asked);
    return { rows: asked.flatMap(rowsOf) };
  };
  return { claims, state, pool: { query } };
};

/** A pool whose tasks stay until the test ends them. */
const fakeWorkerPool = (wireName: string, slots: number) => {
  const running: ClaimedTask[] = [];
  const free = () => slots - running.length;
  const task = { wireName, leaseMs: 10_000 };
  const workerPool = { task, free, begin: (claimed: ClaimedTask) => void running.push(claimed) };
  return { running, workerPool: workerPool as unknown as WorkerPool };
};

describe('the pump of tasks', () => {
  const due = new Map<string, number>();
  let database: ReturnType<typeof fakeDatabase>;
  let mails: ReturnType<typeof fakeWorkerPool>;
  let files: ReturnType<typeof fakeWorkerPool>;
  let stopping: AbortController;
  let pump: Pump;
  let lines: string[];
  beforeEach(() => {
    due.clear();
    database = fakeDatabase(due);
    mails = fakeWorkerPool('send-mail', 4);
    files = fakeWorkerPool('write-file', 3);
    stopping = new AbortController();
    const noted = notedLog();
    lines = noted.lines;
    const runtime = { pool: database.pool, log: noted.log } as unknown as StoreRuntime;
    const pools = new Map([mails, files].map(({ workerPool }) => [workerPool.task.wireName, workerPool]));
    pump = createPump(runtime, pools, stopping.signal);
  });

  it('asks for as much as there is room, for all names in one claim', async () => {
    due.set('send-mail', 10).set('write-file', 1);
    pump.wakeAll();
    await pump.whenIdle();
    expect(database.claims[0]).toEqual([
      { name: 'send-mail', limit: 4 },
      { name: 'write-file', limit: 3 },
    ]);
    expect([mails.running.length, files.running.length]).toEqual([4, 1]);
  });

  it('claims again only if it got all it asked for, and only while there is room', async () => {
    due.set('send-mail', 6);
    pump.wake('send-mail');
    await pump.whenIdle();
    expect(mails.running).toHaveLength(4);
    mails.running.splice(0, 4);
    pump.start();
    await pump.whenIdle();
    expect(mails.running).toHaveLength(2);
    const before = database.claims.length;
    pump.start();
    await pump.whenIdle();
    expect(database.claims).toHaveLength(before);
  });

  it('remembers a wake that comes while a claim is under way', async () => {
    pump.wake('write-file');
    due.set('write-file', 1);
    pump.wake('write-file');
    due.set('send-mail', 1);
    pump.wake('send-mail');
    await pump.whenIdle();
    await pump.whenIdle();
    expect([files.running.length, mails.running.length]).toEqual([1, 1]);
  });

  it('begins nothing while it is stopping', async () => {
    stopping.abort();
    due.set('send-mail', 1);
    pump.wakeAll();
    await pump.whenIdle();
    expect([database.claims, mails.running, pump.mayBegin()]).toEqual([[], [], false]);
  });

  it('lets a new task begin at once only if none of its name may be waiting', async () => {
    expect(pump.mayPreLease('send-mail')).toBe(true);
    due.set('send-mail', 1);
    pump.wake('send-mail');
    expect([pump.mayPreLease('send-mail'), pump.mayPreLease('write-file')]).toEqual([false, true]);
    await pump.whenIdle();
    expect(pump.mayPreLease('send-mail')).toBe(true);
  });

  it('says that a claim failed, knows nothing of what it knew, and does not try in a circle', async () => {
    pump.wake('send-mail');
    await pump.whenIdle();
    expect(pump.floors.of('send-mail')).toBeGreaterThan(0);
    database.state.failing = new Error('the database is away');
    pump.wake('send-mail');
    await pump.whenIdle();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^warn: tasks could not be claimed/);
    expect(pump.floors.of('send-mail')).toBe(Number.NEGATIVE_INFINITY);
  });
});
