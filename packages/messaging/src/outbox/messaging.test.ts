import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SqlExecutor, Transactional } from '@tds/base';
import { defineContract, type defineSurface } from '@tds/contracts';
import { z } from 'zod';
import { createMessaging, type Dispatchers } from './messaging.ts';

const payload = z.object({ n: z.number() });
const status = defineContract('status', {
  tasks: { doWork: { payload, leaseMs: 1_000, backoffMs: [1_000], concurrency: 4, timeLimitMs: null } },
  events: { thingHappened: { payload } },
});
type Surface = ReturnType<typeof defineSurface<typeof status>>;

/** What a process does with what has been committed, noted line by line. */
const notedDispatchers = () => {
  const noted: string[] = [];
  const dispatchers: Dispatchers = {
    wakeRelay: () => void noted.push('relay'),
    hint: (subject, body) => void noted.push(`hint ${subject} ${body}`),
    wakeTasks: (delaysMs) => void noted.push(`tasks in ${delaysMs.join(', ')}`),
    wakeAll: () => void noted.push('all'),
  };
  return { noted, dispatchers };
};

describe('messaging', () => {
  let bench: ReturnType<typeof notedDispatchers>;
  let messaging: ReturnType<typeof createMessaging<Surface>>;
  beforeEach(() => {
    bench = notedDispatchers();
    messaging = createMessaging<Surface>(bench.dispatchers);
  });
  /** A database whose commits fail as often as the test says. */
  const database = (failures: readonly Error[] = []) => {
    const left = [...failures];
    const tx = { $executeRawUnsafe: async () => 1 } as unknown as SqlExecutor;
    const $transaction = async <T>(work: (client: SqlExecutor) => Promise<T>): Promise<T> => {
      const result = await work(tx);
      const failure = left.shift();
      if (failure) throw failure;
      bench.noted.push('commit');
      return result;
    };
    return { $transaction } as Transactional<SqlExecutor>;
  };
  const sendAll = async (client: Transactional<SqlExecutor>, tasks: number) => {
    const ids: string[] = [];
    await messaging.transaction(client, async (_tx, send) => {
      ids.length = 0;
      await send.emit(status.thingHappened, { n: 1 });
      for (let n = 0; n < tasks; n += 1) ids.push(await send.enqueue(status.doWork, { n }));
    });
    return ids;
  };

  it('dispatches after the commit and not before it', async () => {
    await sendAll(database(), 2);
    expect(bench.noted).toEqual(['commit', 'relay', 'tasks in 0, 0']);
  });

  it('dispatches nothing of what was rolled back', async () => {
    await expect(sendAll(database([new Error('no commit')]), 2)).rejects.toThrow('no commit');
    expect(bench.noted).toEqual([]);
  });

  it('dispatches once what had to be tried again', async () => {
    const conflict = Object.assign(new Error('could not serialize access'), { code: '40001' });
    await sendAll(database([conflict, conflict]), 1);
    expect(bench.noted).toEqual(['commit', 'relay', 'tasks in 0']);
  });

  it('returns the result of the work, and wakes nothing if nothing was sent', async () => {
    expect(await messaging.transaction(database(), async () => 7)).toBe(7);
    expect(bench.noted).toEqual(['commit']);
  });

  it('hints at once what its contract names, and refuses what it does not', () => {
    messaging.hint(status.thingHappened, { n: 1 });
    expect(bench.noted).toEqual(['hint evt.status.thing-happened.v1 {"n":1}']);
    expect(() => messaging.hint(status.thingHappened, {} as { n: number })).toThrow('expected number');
  });
});
