import { describe, expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { createKeepNewest } from './projections.ts';

/** A Redis that keeps what it is sent: the keys of each command. */
const fakeRedis = (failing?: Error) => {
  const commands: { keys: unknown[]; given: unknown[] }[] = [];
  const redis = {
    defineCommand: () => {},
    tdsKeepNewest: async (count: number, ...rest: unknown[]) => {
      commands.push({ keys: rest.slice(0, count), given: rest.slice(count) });
      if (failing) throw failing;
    },
  };
  return { commands, keep: createKeepNewest(redis as unknown as Redis) };
};
const value = (key: string, version = 1) => ({ key, version, text: `text of ${key}`, ttlSeconds: 60 });

describe('values of which the newest stays', () => {
  it('that are given in one turn of the event loop are one command, in their order', async () => {
    const { commands, keep } = fakeRedis();
    await Promise.all([keep(value('a:{x}', 7)), keep(value('b:{x}', 8))]);
    expect(commands).toEqual([
      { keys: ['a:{x}', 'b:{x}'], given: [7, 'text of a:{x}', 60, 8, 'text of b:{x}', 60] },
    ]);
  });

  it('are one command for each hash tag, so that each goes to the one server that has its keys', async () => {
    const { commands, keep } = fakeRedis();
    await Promise.all(['a:{x}', 'a:{y}', 'b:{x}', 'b:{y}'].map((key) => keep(value(key))));
    expect(commands.map(({ keys }) => keys)).toEqual([
      ['a:{x}', 'b:{x}'],
      ['a:{y}', 'b:{y}'],
    ]);
  });

  it('that come later are a command of their own, and nothing is sent twice', async () => {
    const { commands, keep } = fakeRedis();
    await keep(value('a:{x}'));
    await keep(value('b:{x}'));
    expect(commands.map(({ keys }) => keys)).toEqual([['a:{x}'], ['b:{x}']]);
  });

  it('fail together, each for its own caller; the next writes are tried again', async () => {
    const { commands, keep } = fakeRedis(new Error('redis is away'));
    const outcomes = await Promise.allSettled([keep(value('a:{x}')), keep(value('b:{x}'))]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(keep(value('c:{x}'))).rejects.toThrow('redis is away');
    expect(commands).toHaveLength(2);
  });
});
