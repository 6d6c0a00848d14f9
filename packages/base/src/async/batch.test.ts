import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { createBatcher, retryThenSplit, whenSettled } from './batch.ts';

const oneByOne = { maxBatch: 3, slowAfterMs: 60_000, maxCalls: 4 };
const never = new AbortController().signal;

/** A call that a test ends when it wants to, and what it was called with. */
const heldCall = () => {
  const calls: { items: readonly number[]; end: (error?: Error) => void }[] = [];
  const call = (items: readonly number[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<number[]>();
    const answers = items.map((item) => item * 10);
    calls.push({ items, end: (error) => (error ? reject(error) : resolve(answers)) });
    return promise;
  };
  return { calls, call, batches: () => calls.map(({ items }) => items) };
};

/** The end of a call is read in one turn, and the next call starts at the end of the one after. */
const turn = async () => {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
};

describe('createBatcher', () => {
  it('calls at once when nothing is under way, with all that came in the same turn of the event loop', async () => {
    const { call, batches } = heldCall();
    const submit = createBatcher({ call, ...oneByOne });
    for (const item of [1, 2]) void submit(item, never);
    await turn();
    expect(batches()).toEqual([[1, 2]]);
  });

  it('sends what arrives during a call together, in order, up to the largest batch', async () => {
    const { call, calls, batches } = heldCall();
    const submit = createBatcher({ call, ...oneByOne });
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
    const submit = createBatcher({ call, maxBatch: 3, slowAfterMs: 1, maxCalls: 2 });
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

  it('has several calls under way if none holds the next one up', async () => {
    const { call, batches } = heldCall();
    const submit = createBatcher({ call, maxBatch: 2, maxCalls: 2 });
    for (const item of [1, 2, 3]) void submit(item);
    await turn();
    expect(batches()).toEqual([[1, 2], [3]]);
    void submit(4);
    await turn();
    expect(batches()).toHaveLength(2);
  });

  it('fails only the items of the call that failed', async () => {
    const { call, calls } = heldCall();
    const submit = createBatcher({ call, ...oneByOne });
    const first = submit(1, never);
    await turn();
    const second = submit(2, never);
    const failed = expect(first).rejects.toThrow('cut');
    calls[0]!.end(new Error('cut'));
    await failed;
    await turn();
    calls[1]!.end();
    expect(await second).toBe(20);
  });

  it('gives each item its own result', async () => {
    const call = async (items: readonly number[]) =>
      items.map((item) => (item === 2 ? new Error('bad') : item));
    const submit = createBatcher({ call, ...oneByOne });
    const results = await Promise.allSettled([1, 2, 3].map((item) => submit(item, never)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('never leaves an item without an answer', async () => {
    const submit = createBatcher({ call: async () => [], ...oneByOne });
    await expect(submit(1, never)).rejects.toThrow('1 items has 0 answers');
  });

  it('skips work whose callers have all given up', async () => {
    const { call, calls, batches } = heldCall();
    const submit = createBatcher({ call, ...oneByOne });
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

  it('starts when its schedule says so', async () => {
    const { call, batches } = heldCall();
    let startNow = () => {};
    const schedule = (start: () => void) => {
      startNow = start;
    };
    const submit = createBatcher({ call, maxBatch: 3, schedule });
    void submit(1);
    await turn();
    expect(batches()).toEqual([]);
    void submit(2);
    startNow();
    expect(batches()).toEqual([[1, 2]]);
    startNow();
    expect(batches()).toHaveLength(1);
  });

  it('takes what the promises of a turn bring, if it waits until they have settled', async () => {
    const { call, batches } = heldCall();
    const submit = createBatcher({ call, maxBatch: 3, schedule: whenSettled });
    const later = async (hops: number) => {
      for (let hop = 0; hop < hops; hop += 1) await null;
      void submit(hops);
    };
    await Promise.all([1, 5].map(later));
    await new Promise(process.nextTick);
    expect(batches()).toEqual([[1, 5]]);
  });
});

const transient = new Error('deadlock');
const failures = {
  isTransient: (error: unknown) => error === transient,
  giveUp: () => new Error('given up'),
};

/** Fails `times` with a transient failure, then answers. */
const failing = (times: number) => {
  const calls: (readonly number[])[] = [];
  const call = async (items: readonly number[]) => {
    calls.push(items);
    if (calls.length <= times) throw transient;
    return items.map((item) => item * 10);
  };
  return { calls, call };
};

describe('retryThenSplit', () => {
  it('calls again after a transient failure', async () => {
    const { call, calls } = failing(4);
    expect(await retryThenSplit(call, failures)([1, 2])).toEqual([10, 20]);
    expect(calls).toHaveLength(5);
  });

  it('gives up after five calls', async () => {
    const { call, calls } = failing(100);
    expect(await retryThenSplit(call, failures)([1, 2])).toEqual([1, 2].map(() => new Error('given up')));
    expect(calls).toHaveLength(5);
  });

  it('finds the one item that cannot be done and does the others', async () => {
    const bad = new Error('bad');
    const call = async (items: readonly number[]) => {
      if (items.includes(2)) throw bad;
      return items.map((item) => item * 10);
    };
    expect(await retryThenSplit(call, failures)([1, 2, 3])).toEqual([10, bad, 30]);
  });
});
