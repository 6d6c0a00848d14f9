import { describe, expect, it } from '@jest/globals';
import { identity } from '@tds/contracts';
import type { Redis } from 'ioredis';
import type { RedisGuard } from '../redis/redis-guard.ts';
import { newPrincipal } from '../test-support/builders.ts';
import { createPrincipalReads, reportRefused } from './projected-principals.ts';

it('every rejected value is counted, and one log line a minute gives the reason', () => {
  const seen = { counted: 0, lines: [] as unknown[] };
  const log = { error: (_: string, fields: unknown) => seen.lines.push(fields) };
  const metrics = { projectionsRefused: { inc: () => (seen.counted += 1) } };
  let now = 0;
  const report = reportRefused({ log, metrics } as never, () => now);
  for (let round = 0; round < 3; round += 1) report(identity.principal, 'wrong-mac');
  report(identity.principal, 'ended');
  const lines = [
    { projection: 'principal', why: 'wrong-mac' },
    { projection: 'principal', why: 'ended' },
  ];
  expect(seen).toEqual({ counted: 4, lines });
  now = 60_000;
  report(identity.principal, 'wrong-mac');
  expect(seen).toEqual({ counted: 5, lines: [...lines, lines[0]] });
});

const principal = newPrincipal();
const SIGNED = 'what identity has signed';
const fresh = { [identity.principalsFresh.key()]: 'fresh' };
const known = { [identity.principal.key('digest')]: SIGNED };
const guard: RedisGuard = { run: (work) => work(), isAway: () => false };

const readFrom = (kept: Readonly<Record<string, string>>) => {
  const asked: string[] = [];
  const times: number[] = [];
  const get = async (key: string) => {
    asked.push(key);
    return kept[key] ?? null;
  };
  const redis = {
    time: async () => {
      asked.push('time');
      return [7, 89_999];
    },
    get,
    mget: (keys: string[]) => Promise.all(keys.map(get)),
  };
  const read = createPrincipalReads(redis as unknown as Redis, guard, (_, { time, text }) => {
    times.push(time);
    return text === SIGNED ? principal : null;
  });
  return { asked, times, read };
};

describe('a projected principal', () => {
  it('is accepted by the entry and the clock of Redis', async () => {
    const { read, times } = readFrom({ ...fresh, ...known });
    expect(await read('digest')).toEqual(principal);
    expect(times).toEqual([7_089]);
  });

  it('is unknown without its freshness, if it is absent, or if its signature is invalid', async () => {
    expect(await readFrom(known).read('digest')).toBe('unknown');
    expect(await readFrom(fresh).read('digest')).toBe('unknown');
    const forged = { [identity.principal.key('digest')]: 'forged' };
    expect(await readFrom({ ...fresh, ...forged }).read('digest')).toBe('unknown');
  });

  it('is read after its freshness, so that an entry swept in between is not accepted', async () => {
    const { asked, read } = readFrom({ ...fresh, ...known });
    await Promise.all([read('digest'), read('other')]);
    expect(asked.slice(0, 2)).toEqual(['time', identity.principalsFresh.key()]);
    expect(asked.slice(2).toSorted()).toEqual(
      ['digest', 'other'].map((digest) => identity.principal.key(digest)).toSorted(),
    );
  });

  it('cannot be read while Redis is away', async () => {
    const away: RedisGuard = { run: async () => null, isAway: () => true };
    expect(await createPrincipalReads({} as Redis, away, () => principal)('digest')).toBeNull();
  });
});
