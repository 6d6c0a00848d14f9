import { serviceError } from '@tds/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Failing } from '../store/end-fetches.ts';
import { createEndTogether, type Delivered } from './end-together.ts';
import { OperationWaiters } from './operation-waiters.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const away = () => Object.assign(new Error('connection terminated'), { code: '57P01' });

/** What one statement was given; only what tells fetches apart. */
type Given = { deliveries?: { fetch_id: string }[]; failures?: { fetch_id: string }[] };

/** A database that ends the operation of every fetch, named as that, unless it is told to fail. */
const setUp = () => {
  const statements: string[][] = [];
  const stored: string[][] = [];
  const hinted: string[][] = [];
  const table = { isIdle: false, hasEnded: false, fails: (_ids: readonly string[]): Error | null => null };
  const sql = async (_statement: unknown, [json]: readonly string[]) => {
    const { deliveries, failures = [] }: Given = JSON.parse(String(json));
    const ids = (deliveries ?? failures).map(({ fetch_id }) => fetch_id);
    statements.push(ids);
    const error = table.fails(ids);
    if (error) throw error;
    return [{ ended_ids: table.hasEnded ? [] : ids, events: [], settles: 0 }];
  };
  const messaging = {
    statement: async (_sends: unknown, run: (sending: object) => Promise<{ result: unknown }>) =>
      (await run({ headers: '{}', slots: 0, leaseMs: 0, eventLeaseMs: null })).result,
    hint: (_event: unknown, { operationIds }: { operationIds: string[] }) => hinted.push(operationIds),
  };
  const objects = { putAll: async (all: { key: string }[]) => void stored.push(all.map(({ key }) => key)) };
  const waiters = new OperationWaiters();
  const turns = { isIdle: () => table.isIdle };
  const ending = createEndTogether({ sql, messaging, objects, waiters, turns } as never);
  return { statements, stored, hinted, table, waiters, ending };
};
const failing = (id: string): Failing => ({
  fetch: { id, videoId: 'manualEn001', language: 'en', fallback: true },
  error: serviceError('no_captions').data,
  selection: null,
  video: null,
});
const delivered = (id: string, keys: readonly string[]): Delivered => {
  const video = {
    id: 'manualEn001',
    title: null,
    channel_id: null,
    channel_title: null,
    published_at: null,
    duration: 1,
  };
  const choice = { isFallback: false, translation: 'not_requested', available: [], expiresAt: null } as const;
  const track = { videoId: video.id, languageCode: 'en', kind: 'manual', translated: false } as const;
  return {
    delivery: {
      ...{ fetch: failing(id).fetch, inspected: { video, tracks: [] }, track, selection: choice },
      ...{ transcript: null, file: null, cachedId: null, now: new Date() },
    },
    objects: keys.map((key) => ({ key, data: Buffer.from(key) })),
  };
};
const ids = (count: number) => Array.from({ length: count }, (_, at) => `fetch ${at}`);
const outcomesOf = async (work: readonly Promise<void>[]) =>
  (await Promise.allSettled(work)).map(({ status }) => status);

describe('fetches that end at about the same time', () => {
  it('are saved in one statement after 150 ms, and their callers woken, here and elsewhere', async () => {
    const { statements, hinted, waiters, ending } = setUp();
    const woken: string[] = [];
    for (const id of ids(2)) waiters.listen(id, () => woken.push(id));
    const first = ending.fail(failing('fetch 0'));
    await pass(149);
    const second = ending.fail(failing('fetch 1'));
    expect(statements).toEqual([]);
    await pass(1);
    await Promise.all([first, second]);
    expect(statements).toEqual([ids(2)]);
    expect([woken, hinted]).toEqual([ids(2), [ids(2)]]);
  });

  it('are saved at once where nothing more is under way', async () => {
    const { statements, table, ending } = setUp();
    const first = ending.fail(failing('fetch 0'));
    table.isIdle = true;
    const second = ending.fail(failing('fetch 1'));
    await pass(0);
    await Promise.all([first, second]);
    expect(statements).toEqual([ids(2)]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are no more than thirty-two in one statement', async () => {
    const { statements, ending } = setUp();
    const all = ids(40).map((id) => ending.fail(failing(id)));
    await pass(150);
    await Promise.all(all);
    expect(statements.map(({ length }) => length)).toEqual([32, 8]);
  });

  it('are stored before they are saved, what several share only once', async () => {
    const { statements, stored, ending } = setUp();
    const both = [delivered('fetch 0', ['cues/a', 'file/0']), delivered('fetch 1', ['cues/a', 'file/1'])];
    const all = both.map((each) => ending.deliver(each));
    await pass(150);
    await Promise.all(all);
    expect(stored).toEqual([['cues/a', 'file/0', 'file/1']]);
    expect(statements).toEqual([ids(2)]);
  });
});

describe('fetches that cannot be saved', () => {
  it('are saved one by one, so that only the one at fault fails', async () => {
    const { statements, table, ending } = setUp();
    table.fails = (given) => (given.includes('fetch 1') ? new Error('a check of the table') : null);
    const all = ids(3).map((id) => ending.fail(failing(id)));
    const outcomes = outcomesOf(all);
    await pass(150);
    expect(await outcomes).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(statements).toEqual([ids(3), ...ids(3).map((id) => [id])]);
  });

  it('are tried once if there is nothing to tell apart', async () => {
    const { statements, table, ending } = setUp();
    table.fails = () => new Error('a check of the table');
    const outcome = outcomesOf([ending.fail(failing('fetch 0'))]);
    await pass(150);
    expect(await outcome).toEqual(['rejected']);
    expect(statements).toEqual([['fetch 0']]);
  });

  it('are kept while the database is away, and saved together when it is back', async () => {
    const { statements, table, ending } = setUp();
    table.fails = () => (statements.length === 1 ? away() : null);
    const all = Promise.all(ids(2).map((id) => ending.fail(failing(id))));
    await pass(150);
    // The pause before the next attempt is a real one.
    await all;
    expect(statements).toEqual([ids(2), ids(2)]);
  });
});

it('whose fetch somebody else has ended before wakes nobody: it has been answered', async () => {
  const { hinted, table, waiters, ending } = setUp();
  const woken: string[] = [];
  waiters.listen('fetch 0', () => woken.push('fetch 0'));
  table.hasEnded = true;
  const saved = ending.fail(failing('fetch 0'));
  await pass(150);
  await saved;
  expect([woken, hinted]).toEqual([[], []]);
});
