import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SqlExecutor } from '@tds/base';
import { runInContext } from '@tds/base/internals';
import { defineContract, defineSurface } from '@tds/contracts';
import { z } from 'zod';
import { createSender, emptyOutgoing, encodePayload, type Outgoing, saveOutgoing } from './outgoing.ts';

const payload = z.object({ n: z.number() });
const shape = { payload, leaseMs: 7_000, backoffMs: [1_000], concurrency: 4, timeLimitMs: null };
const status = defineContract('status', {
  tasks: { doWork: shape, doMore: shape },
  events: { thingHappened: { payload } },
});
const surface = defineSurface(status);

describe('what a transaction sends', () => {
  let outgoing: Outgoing;
  let statements: { rows: unknown[]; headers: unknown }[];
  let tx: SqlExecutor;
  beforeEach(() => {
    outgoing = emptyOutgoing();
    statements = [];
    const $executeRawUnsafe = async (_sql: string, rows: string, headers: string) =>
      statements.push({ rows: JSON.parse(rows), headers: JSON.parse(headers) });
    const $queryRawUnsafe = async () => [{ id: 'keyed' }];
    tx = { $queryRawUnsafe, $executeRawUnsafe } as unknown as SqlExecutor;
  });
  const send = () => createSender<typeof surface>(tx, outgoing);
  const save = () => saveOutgoing(tx, outgoing);

  it('costs no statement if it sends nothing', async () => {
    await save();
    expect(statements).toEqual([]);
  });

  it('costs one statement for all events and one for all tasks', async () => {
    for (let n = 0; n < 3; n += 1) {
      await send().emit(status.thingHappened, { n });
      await send().enqueue(status.doWork, { n });
      await send().enqueue(status.doMore, { n });
    }
    await save();
    expect(statements.map(({ rows }) => rows.length)).toEqual([3, 6]);
  });

  it('carries the ids of the request that is in hand', async () => {
    await send().emit(status.thingHappened, { n: 1 });
    await send().enqueue(status.doWork, { n: 1 });
    await runInContext({ requestId: 'r-1', accountId: 'a-1' }, () => save());
    const ids = { requestId: 'r-1', accountId: 'a-1' };
    expect(statements.map(({ headers }) => headers)).toEqual([ids, ids]);
  });

  it('wakes the workers of tasks that were saved at once, because they have a key', async () => {
    expect(await send().enqueue(status.doWork, { n: 1 }, { key: 'k', delayMs: 20 })).toBe('keyed');
    await save();
    expect(outgoing.keyedDelaysMs).toEqual([20]);
    expect(statements).toEqual([]);
  });

  it('is refused before anything is saved if no receiver could read it', async () => {
    const wrong = { n: 'one' } as unknown as { n: number };
    await expect(send().emit(status.thingHappened, wrong)).rejects.toThrow('expected number');
    await expect(send().enqueue(status.doWork, wrong)).rejects.toThrow('expected number');
    expect(outgoing).toEqual(emptyOutgoing());
  });

  it('is a message and no body: half a mebibyte at most, counted in bytes', () => {
    const text = { wireName: 'thing-happened', payload: z.string() };
    const most = 512 * 1_024 - 2;
    expect(encodePayload(text, 'x'.repeat(most))).toHaveLength(most + 2);
    expect(() => encodePayload(text, 'x'.repeat(most + 1))).toThrow('send the key of an object instead');
    expect(() => encodePayload(text, 'ü'.repeat(most / 2 + 1))).toThrow('thing-happened has');
  });

  it('holds no field that its contract does not name', () => {
    const message = { wireName: 'thing-happened', payload };
    expect(encodePayload(message, { n: 1, secret: 'hunter2' })).toBe('{"n":1}');
  });
});
