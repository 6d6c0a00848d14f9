import { describe, expect, it } from 'vitest';
import { createTurns, type Turns } from './turns.ts';

const never = new AbortController().signal;
const settled = () => new Promise(setImmediate);

/** Everybody asks for as many turns as said, and ends each when the test says so. */
const queue = (turns: Turns, wishes: Readonly<Record<string, number>>) => {
  const order: string[] = [];
  const ends: (() => void)[] = [];
  for (const [who, count] of Object.entries(wishes)) {
    for (let each = 0; each < count; each += 1) {
      void turns.take(who, never).then((end) => {
        order.push(who);
        ends.push(end);
      });
    }
  }
  return { order, endOne: () => ends.shift()?.() };
};

describe('turns', () => {
  it('are as many at once as there are, and go to each who waits in rotation, however much one wants', async () => {
    const { order, endOne } = queue(createTurns(2), { a: 6, b: 2, c: 1 });
    await settled();
    expect(order).toEqual(['a', 'a']);
    for (let each = 0; each < 7; each += 1) {
      endOne();
      await settled();
    }
    expect(order.slice(2)).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a']);
  });

  it('are not lost to those who give up while they wait', async () => {
    const turns = createTurns(1);
    const end = await turns.take('a', never);
    const leaving = new AbortController();
    const left = turns.take('b', leaving.signal);
    const next = turns.take('c', never);
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    await expect(turns.take('d', leaving.signal)).rejects.toThrow('gone');
    end();
    (await next)();
    await turns.take('a', never);
  });
});
