import { describe, expect, it } from '@jest/globals';
import { createBatch } from './batch.ts';

const newBatch = (mayHold = true) => {
  const sent: { asks: readonly number[]; answer(replies: readonly string[] | null): void }[] = [];
  const ask = createBatch<number, string>({
    mayHold: () => mayHold,
    send: (asks) =>
      new Promise((resolve) => {
        sent.push({ asks, answer: resolve });
      }),
  });
  return { ask, sent };
};
const turn = () => new Promise(setImmediate);

describe('a batch', () => {
  it('sends the requests of one turn together, and returns each its own answer', async () => {
    const { ask, sent } = newBatch();
    const answers = Promise.all([ask(1), ask(2)]);
    await turn();
    expect(sent.map(({ asks }) => asks)).toEqual([[1, 2]]);
    sent[0]?.answer(['one', 'two']);
    expect(await answers).toEqual(['one', 'two']);
  });

  it('collects during a round trip, unless it may not wait', async () => {
    for (const mayHold of [true, false]) {
      const { ask, sent } = newBatch(mayHold);
      void ask(1);
      await turn();
      void ask(2);
      await turn();
      void ask(3);
      await turn();
      expect(sent).toHaveLength(mayHold ? 1 : 3);
      sent[0]?.answer(['one']);
      await turn();
      await turn();
      expect(sent.flatMap(({ asks }) => asks)).toEqual([1, 2, 3]);
    }
  });

  it('returns null to all of a batch without an answer', async () => {
    const { ask, sent } = newBatch();
    const answers = Promise.all([ask(1), ask(2)]);
    await turn();
    sent[0]?.answer(null);
    expect(await answers).toEqual([null, null]);
  });

  it('has at most 64 requests', async () => {
    const { ask, sent } = newBatch();
    void ask(0);
    await turn();
    for (let n = 1; n <= 64; n += 1) void ask(n);
    expect(sent.map(({ asks }) => asks.length)).toEqual([1, 64]);
  });
});
