import { beforeEach, describe, expect, it } from 'vitest';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { notedLog } from '../test-support/noted-log.ts';
import type { ClaimedTask } from './claim-tasks.ts';
import { BACKGROUND, INTERACTIVE, type Priority } from './new-task.ts';
import { createPump, type Pump } from './pump.ts';
import type { WorkerPool } from './worker-pool.ts';

type Asked = { readonly name: string; readonly priority: Priority; readonly limit: number };

const NO_LOOK = { firstMs: null, atMs: 50_000, xmin: 1, xmax: 1 };

/** A database that has so many due tasks of each queue, and keeps what it was asked for. */
const fakeDatabase = (due: Map<string, number>) => {
  const claims: Asked[][] = [];
  const state = { failing: null as Error | null };
  /** The tasks of one queue, or a row without one. */
  const rowsOf = ({ name, priority, limit }: Asked) => {
    const key = `${name} ${priority}`;
    const left = due.get(key) ?? 0;
    const got = Math.min(left, limit);
    due.set(key, left - got);
    const ids = got === 0 ? [null] : Array.from({ length: got }, (_, n) => `${key} ${left - n}`);
    return ids.map((id) => ({ ...NO_LOOK, name, priority, id }));
  };
  const query = async ({ values }: { values: unknown[][] }) => {
    if (state.failing) throw state.failing;
    const [names = [], priorities = [], limits = []] = values as [string[], Priority[], number[]];
    const asked = names.map((name, n) => ({
      ...{ name, priority: priorities[n] ?? INTERACTIVE, limit: limits[n] ?? 0 },
    }));
    claims.push(asked);
    return { rows: asked.flatMap(rowsOf) };
  };
  return { claims, state, pool: { query } };
};

/** A pool whose tasks stay until the test ends them; background work has two of the slots at most. */
const fakeWorkerPool = (wireName: string, slots: number) => {
  const running: ClaimedTask[] = [];
  const free = (priority?: Priority) => {
    const left = slots - running.length;
    const background = running.filter((task) => task.priority === BACKGROUND).length;
    return priority === BACKGROUND ? Math.min(left, 2 - background) : left;
  };
  const task = { wireName, leaseMs: 10_000, backgroundConcurrency: 2 };
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
    due.set(`send-mail ${INTERACTIVE}`, 10).set(`write-file ${INTERACTIVE}`, 1);
    pump.wakeAll();
    await pump.whenIdle();
    expect(database.claims[0]).toEqual([
      { name: 'send-mail', priority: INTERACTIVE, limit: 4 },
      { name: 'write-file', priority: INTERACTIVE, limit: 3 },
    ]);
    expect([mails.running.length, files.running.length]).toEqual([4, 1]);
  });

  it('gives background work what the others, asked for at the same time, cannot take', async () => {
    due.set(`send-mail ${INTERACTIVE}`, 1).set(`send-mail ${BACKGROUND}`, 10);
    pump.wakeAll();
    await pump.whenIdle();
    const asked = database.claims.flat().filter(({ name }) => name === 'send-mail');
    expect(asked[0]).toMatchObject({ priority: INTERACTIVE, limit: 4 });
    expect(asked[1]).toMatchObject({ priority: BACKGROUND, limit: 2 });
    expect(mails.running.map(({ priority }) => priority)).toEqual([INTERACTIVE, BACKGROUND, BACKGROUND]);
  });

  it('asks again only where it got as much as it asked for, and only while there is room', async () => {
    due.set(`send-mail ${INTERACTIVE}`, 6);
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

  it('forgets nobody who wakes it while a claim is under way', async () => {
    pump.wake('write-file');
    due.set(`write-file ${INTERACTIVE}`, 1);
    pump.wake('write-file');
    due.set(`send-mail ${INTERACTIVE}`, 1);
    pump.wake('send-mail');
    await pump.whenIdle();
    await pump.whenIdle();
    expect([files.running.length, mails.running.length]).toEqual([1, 1]);
  });

  it('begins nothing while it is held or stopping, and goes on when it is let go', async () => {
    due.set(`send-mail ${INTERACTIVE}`, 1);
    const release = pump.hold();
    pump.wakeAll();
    await pump.whenIdle();
    expect([database.claims, pump.mayBegin()]).toEqual([[], false]);
    release();
    await pump.whenIdle();
    expect(mails.running).toHaveLength(1);
    stopping.abort();
    due.set(`send-mail ${INTERACTIVE}`, 1);
    pump.wakeAll();
    await pump.whenIdle();
    expect(mails.running).toHaveLength(1);
  });

  it('lets a new task begin at once only where none of its name may be waiting', async () => {
    expect(pump.mayPreLease('send-mail')).toBe(true);
    const release = pump.hold();
    pump.wake('send-mail');
    release();
    expect([pump.mayPreLease('send-mail'), pump.mayPreLease('write-file')]).toEqual([false, true]);
    await pump.whenIdle();
    expect(pump.mayPreLease('send-mail')).toBe(true);
  });

  it('says that a claim failed, knows nothing of what it knew, and does not try in a circle', async () => {
    const queue = { name: 'send-mail', priority: INTERACTIVE } as const;
    pump.wake('send-mail');
    await pump.whenIdle();
    expect(pump.floors.of(queue)).toBeGreaterThan(0);
    database.state.failing = new Error('the database is away');
    pump.wake('send-mail');
    await pump.whenIdle();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^warn: tasks could not be claimed/);
    expect(pump.floors.of(queue)).toBe(Number.NEGATIVE_INFINITY);
  });
});
