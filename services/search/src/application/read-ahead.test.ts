import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { readAhead } from './listing-pages.ts';

/** Numbers from 1, each noted when it is made; fails at `failsAt`. */
async function* numbers(made: number[], last: number, failsAt?: number): AsyncGenerator<number> {
  for (let number = 1; number <= last; number += 1) {
    await turn();
    if (number === failsAt) throw new Error(`no ${number}`);
    made.push(number);
    yield number;
  }
}
const settled = async () => {
  for (let turns = 0; turns < 50; turns += 1) await turn();
};

describe('reading ahead', () => {
  it('returns everything in order', async () => {
    const read: number[] = [];
    for await (const number of readAhead(numbers([], 7), 3)) read.push(number);
    expect(read).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('reads up to its limit before the consumer needs it', async () => {
    const made: number[] = [];
    const items = readAhead(numbers(made, 20), 3);
    await settled();
    expect(made).toEqual([1, 2, 3]);
    for await (const number of items) {
      await settled();
      expect(made.at(-1)).toBe(number + 3);
      if (number === 5) break;
    }
  });

  it('reports a failure in its turn, and ignores it if the consumer stops before', async () => {
    const read: number[] = [];
    const items = readAhead(numbers([], 7, 3), 5);
    await settled();
    const reading = (async () => {
      for await (const number of items) read.push(number);
    })();
    await expect(reading).rejects.toThrow('no 3');
    expect(read).toEqual([1, 2]);
    readAhead(numbers([], 7, 1), 2);
    await settled();
  });
});
