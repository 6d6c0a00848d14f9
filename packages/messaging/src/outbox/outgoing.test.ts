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
  let keyedValues: unknown[];
  let keyedRows: { id: string }[];
  let tx: SqlExecutor;
  beforeEach(() => {
    outgoing = emptyOutgoing();
    statements = [];
    keyedRows = [{ id: 'keyed' }];
    const $executeRawUnsafe = async (_sql: string, rows: string, headers: string) =>
      statements.push({ rows: JSON.parse(rows), headers: JSON.parse(headers) });
    const $queryRawUnsafe = async (_sql: string, ...values: unknown[]) => {
      keyedValues = values;
      return keyedRows;
    };
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

  it('is due at once and has no partition by default', async () => {
    const id = await send().enqueue(status.doWork, { n: 1 });
    expect(outgoing.tasks).toEqual([{ id, name: 'do-work', payload: '{"n":1}', delayMs: 0, partition: null }]);
  });

  it('is saved with whole milliseconds, never less than its delay, if it has a key', async () => {
    const options = { key: 'k', delayMs: 0.2, partition: 'p' };
    const ids = { requestId: 'r-1', accountId: 'a-1' };
    await runInContext(ids, () => send().enqueue(status.doWork, { n: 1 }, options));
    expect(keyedValues).toEqual(['do-work', '{"n":1}', JSON.stringify(ids), 1, 'k', 'p']);
  });

  it('is an error, not a task without an id, if the database did not save it', async () => {
    keyedRows = [];
    const saving = send().enqueue(status.doWork, { n: 1 }, { key: 'k' });
    await expect(saving).rejects.toThrow('do-work was not saved');
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
