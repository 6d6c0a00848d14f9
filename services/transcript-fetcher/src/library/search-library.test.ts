import { describe, expect, it } from '@jest/globals';
import { createSearches } from './search-library.ts';
import type { FoundPassages } from './store/library-search.ts';

const found: FoundPassages = { results: [], total: 0, offset: 0, cursors: [], is_complete: true };
const signal = new AbortController().signal;
const quick = async () => found;
const overTime = () => Promise.reject(Object.assign(new Error('canceled'), { code: '57014' }));
const codeOf = (search: Promise<unknown>) =>
  search.then(
    () => 'found',
    (error) => error.code,
  );

/** Searches that last until they are released, and how many run. */
const createGate = () => {
  const gate = Promise.withResolvers<void>();
  let [running, most] = [0, 0];
  return {
    release: gate.resolve,
    most: () => most,
    search: async () => {
      running += 1;
      most = Math.max(most, running);
      await gate.promise;
      running -= 1;
      return found;
    },
  };
};

describe('the searches of an account', () => {
  it('run one at a time, and leave room for those of others', async () => {
    const searches = createSearches();
    const gate = createGate();
    const many = Array.from({ length: 6 }, () => searches('one', gate.search, signal));
    expect(await searches('other', quick, signal)).toBe(found);
    gate.release();
    expect(await Promise.all(many)).toHaveLength(6);
    expect(gate.most()).toBe(1);
  });

  it('that take too long let the account wait, longer each time, and nobody else', async () => {
    let time = 1_000_000;
    const searches = createSearches(() => time);
    const waits: number[] = [];
    for (const _ of [1, 2, 3]) {
      expect(await codeOf(searches('one', overTime, signal))).toBe('57014');
      const refusal = await searches('one', quick, signal).catch((error) => error);
      expect(refusal).toMatchObject({ code: 'search_in_progress', status: 429 });
      waits.push(refusal.data.retryAfterSeconds);
      expect(await searches('other', quick, signal)).toBe(found);
      time += refusal.data.retryAfterSeconds * 1_000;
      expect(await searches('one', quick, signal)).toBe(found);
    }
    expect(waits).toEqual([2, 4, 8]);
    time += 3_600_000;
    await codeOf(searches('one', overTime, signal));
    expect(await searches('one', quick, signal).catch((error) => error.data.retryAfterSeconds)).toBe(2);
  });

  it('end after two seconds, and that what was found until then was late, lets the account wait', async () => {
    const searches = createSearches();
    const late = (limited: AbortSignal) =>
      new Promise<typeof found>((resolve) => limited.addEventListener('abort', () => resolve(found)));
    expect(await searches('one', late, signal)).toBe(found);
    expect(await codeOf(searches('one', quick, signal))).toBe('search_in_progress');
  });

  it('leave the last place to others for ten times as long as they have held one', async () => {
    let time = 1_000_000;
    const searches = createSearches(() => time);
    const names = ['one', 'two', 'three'];
    const long = async () => {
      time += 500;
      return found;
    };
    for (const name of names) await searches(name, long, signal);
    const gate = createGate();
    const again = names.map((name) => searches(name, gate.search, signal));
    expect(await searches('other', quick, signal)).toBe(found);
    expect(gate.most()).toBe(2);
    gate.release();
    await Promise.all(again);
    time += 15_001;
    const later = createGate();
    const all = names.map((name) => searches(name, later.search, signal));
    await new Promise(setImmediate);
    expect(later.most()).toBe(3);
    later.release();
    await Promise.all(all);
  });

  it('wait for one on another instance', async () => {
    const searches = createSearches();
    let looks = 0;
    const elsewhere = async () => {
      looks += 1;
      return looks < 3 ? null : found;
    };
    expect(await searches('one', elsewhere, signal)).toBe(found);
    expect(looks).toBe(3);
  });

  it('that were given up by their callers do nothing', async () => {
    const searches = createSearches();
    const gate = createGate();
    const first = searches('one', gate.search, signal);
    const leaving = new AbortController();
    const second = searches('one', () => Promise.reject(new Error('it ran')), leaving.signal);
    leaving.abort();
    gate.release();
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    expect(await first).toBe(found);
  });
});
