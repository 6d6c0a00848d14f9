import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { notedLog } from '@tds/base/testing';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { turn } from '../test-support/turn.ts';
import { type Sweep, startSweep } from './floors.ts';

const HOUR_MS = 3_600_000;

describe('a sweep', () => {
  let stopping: AbortController;
  let noted: ReturnType<typeof notedLog>;
  beforeEach(() => {
    stopping = new AbortController();
    noted = notedLog();
  });
  afterEach(() => stopping.abort());

  const start = (everyMs: number, work: () => Promise<void>, given: Partial<Sweep> = {}): Promise<void> => {
    const runtime = { log: noted.log } as unknown as StoreRuntime;
    return startSweep(runtime, { everyMs, complaint: 'no look', work, ...given }, stopping.signal);
  };
  /** Work that is done so often, and what resolves when that has happened. */
  const counting = (most: number) => {
    const done = Promise.withResolvers<void>();
    const counted = { looks: 0, running: 0, mostAtOnce: 0, done: done.promise };
    const work = async () => {
      counted.looks += 1;
      counted.running += 1;
      counted.mostAtOnce = Math.max(counted.mostAtOnce, counted.running);
      await turn();
      counted.running -= 1;
      if (counted.looks === most) done.resolve();
    };
    return { counted, work };
  };

  it('looks at once, and then not before its time', async () => {
    const { counted, work } = counting(1);
    void start(HOUR_MS, work);
    await counted.done;
    await turn();
    expect(counted.looks).toBe(1);
  });

  it('that is deferred waits first: what it does is nothing for a start', async () => {
    const [now, later] = [counting(1), counting(1)];
    void start(HOUR_MS, later.work, { isDeferred: true });
    void start(HOUR_MS, now.work);
    await now.counted.done;
    await turn();
    expect(later.counted.looks).toBe(0);
    const soon = counting(1);
    void start(1, soon.work, { isDeferred: true });
    await soon.counted.done;
  });

  it('says each time what could not be done, and does it again the next time', async () => {
    const { counted, work } = counting(4);
    void start(1, async () => {
      await work();
      if (counted.looks < 3) throw new Error('the database is away');
    });
    await counted.done;
    expect(noted.lines).toHaveLength(2);
    for (const line of noted.lines) expect(line).toMatch(/^warn: no look/);
  });

  it('never looks twice at the same time, however short its period is', async () => {
    const { counted, work } = counting(10);
    void start(0, work);
    await counted.done;
    expect(counted.mostAtOnce).toBe(1);
  });

  it('ends with its process, in the middle of a pause, and looks no more', async () => {
    const { counted, work } = counting(1);
    const sweeping = start(HOUR_MS, work);
    await counted.done;
    stopping.abort();
    await sweeping;
    expect(counted.looks).toBe(1);
  });

  it('does not begin in a process that ends already', async () => {
    const { counted, work } = counting(1);
    stopping.abort();
    await start(HOUR_MS, work);
    await start(HOUR_MS, work, { isDeferred: true });
    expect(counted.looks).toBe(0);
  });
});
