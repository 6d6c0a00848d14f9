import { describe, expect, it } from '@jest/globals';
import { createKeyedQueue } from './keyed-queue.ts';

const turn = () => new Promise(setImmediate);

describe('createKeyedQueue', () => {
  it('runs work with the same key in turn, and work with another key beside it', async () => {
    const inTurn = createKeyedQueue<string>();
    const ended: string[] = [];
    const first = Promise.withResolvers<string>();
    const log = async (before: string | undefined, name: string) => {
      ended.push(`${name} after ${before}`);
      return name;
    };
    const answers = [
      inTurn('a', () => first.promise),
      inTurn('a', (before) => log(before, 'second')),
      inTurn('a', (before) => log(before, 'third')),
      inTurn('b', (before) => log(before, 'other')),
    ];
    await turn();
    expect(ended).toEqual(['other after undefined']);
    first.resolve('first');
    expect(await Promise.all(answers)).toEqual(['first', 'second', 'third', 'other']);
    expect(ended.slice(1)).toEqual(['second after first', 'third after second']);
    expect(await inTurn('a', (before) => log(before, 'late'))).toBe('late');
    expect(ended.at(-1)).toBe('late after undefined');
  });

  it('goes on after work that failed', async () => {
    const inTurn = createKeyedQueue<string>();
    const failed = expect(inTurn('a', () => Promise.reject(new Error('cut')))).rejects.toThrow('cut');
    const next = inTurn('a', async (before) => `after ${before}`);
    await failed;
    expect(await next).toBe('after undefined');
  });
});
