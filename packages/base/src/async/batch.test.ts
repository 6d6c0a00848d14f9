import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { createBatcher } from './batch.ts';

const oneByOne = { largeBatch: 60, slowAfterMs: 60_000, maxCalls: 4 };
const never = new AbortController().signal;

/** A call that a test ends when it wants to, and what it was called with. */
const heldCall = () => {
  const calls: { items: readonly number[]; end: (error?: Error) => void }[] = [];
  const call = (items: readonly number[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<PromiseSettledResult<number>[]>();
    const results = items.map((value) => ({ status: 'fulfilled' as const, value: value * 10 }));
    calls.push({ items, end: (error) => (error ? reject(error) : resolve(results)) });
    return promise;
  };
  return { calls, call, batches: () => calls.map(({ items }) => items) };
};

const turn = () => new Promise(setImmediate);

describe('createBatcher', () => {
  it('calls at once when nothing is under way, with all that came in the same turn of the event loop', async () => {
    const { call, batches } = heldCall();
    const submit = createBatcher({ call, maxBatch: 3, ...oneByOne });
    for (const item of [1, 2]) void submit(item, never);
    await turn();
    expect(batches()).toEqual([[1, 2]]);
  });

  it('sends what arrives during a call together, in order, up to the largest batch', async () => {
    const { call, calls, batches } = heldCall();
    const submit = createBatcher({ call, maxBatch: 3, ...oneByOne });
    const first = submit(1, never);
    await turn();
    expect(batches()).toEqual([[1]]);
    const answers = Promise.all([first, ...[2, 3, 4, 5].map((item) => submit(item, never))]);
    for (let index = 0; index < 3; index += 1) {
      calls[index]!.end();
      await turn();
    }
    expect(batches()).toEqual([[1], [2, 3, 4], [5]]);
    expect(await answers).toEqual([10, 20, 30, 40, 50]);
  });

  it('goes past calls that are slow, up to the most that may be under way', async () => {
    const { call, calls, batches } = heldCall();
    const submit = createBatcher({ call, maxBatch: 3, largeBatch: 60, slowAfterMs: 1, maxCalls: 2 });
    const answers = [submit(1, never)];
    await turn();
    answers.push(...[2, 3].map((item) => submit(item, never)));
    await eventually(() => expect(batches()).toEqual([[1], [2, 3]]));
    answers.push(submit(4, never));
    calls[1]!.end();
    await eventually(() => expect(batches()).toEqual([[1], [2, 3], [4]]));
    for (const { end } of calls) end();
    expect(await Promise.all(answers)).toEqual([10, 20, 30, 40]);
  });

  it('has one more call under way if many wait', async () => {
    const { call, batches } = heldCall();
    const submit = createBatcher({ call, maxBatch: 3, largeBatch: 2, slowAfterMs: 60_000, maxCalls: 4 });
    for (const item of [1, 2, 3, 4, 5]) {
      void submit(item, never);
      await turn();
    }
    expect(batches()).toEqual([[1], [2, 3]]);
  });

  it('fails only the items of the call that failed', async () => {
    const { call, calls } = heldCall();
    const submit = createBatcher({ call, maxBatch: 2, ...oneByOne });
    const first = submit(1, never);
    await turn();
    const second = submit(2, never);
    const failed = expect(first).rejects.toThrow('cut');
    calls[0]!.end(new Error('cut'));
    await failed;
    calls[1]!.end();
    expect(await second).toBe(20);
  });

  it('gives each item its own result', async () => {
    const call = async (items: readonly number[]): Promise<PromiseSettledResult<number>[]> =>
      items.map((value) =>
        value === 2 ? { status: 'rejected', reason: new Error('bad') } : { status: 'fulfilled', value },
      );
    const submit = createBatcher({ call, maxBatch: 3, ...oneByOne });
    const results = await Promise.allSettled([1, 2, 3].map((item) => submit(item, never)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('never leaves an item without an answer', async () => {
    const submit = createBatcher({ call: async () => [], maxBatch: 3, ...oneByOne });
    await expect(submit(1, never)).rejects.toThrow('no result');
  });

  it('skips work whose callers have all given up', async () => {
    const { call, calls, batches } = heldCall();
    const submit = createBatcher({ call, maxBatch: 3, ...oneByOne });
    const gone = new AbortController();
    void submit(1, never);
    await turn();
    const late = expect(submit(2, gone.signal)).rejects.toThrow('too late');
    const third = submit(3, never);
    gone.abort(new Error('too late'));
    calls[0]!.end();
    await late;
    expect(batches()).toEqual([[1], [3]]);
    calls[1]!.end();
    expect(await third).toBe(30);
  });
});
