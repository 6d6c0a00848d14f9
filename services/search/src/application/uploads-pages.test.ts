import { describe, expect, it } from '@jest/globals';
import type { Listing } from '../domain/listing.ts';
import {
  fakeDeps,
  fakePlatform,
  listing,
  rowsOf,
  SHORTS,
  savedIds,
  UPLOADS,
  video,
  walk,
} from '../test-support/walks.ts';
import { missingPages } from './listing-pages.ts';

describe('a walk through all uploads of a channel', () => {
  const uploads = (given: Partial<Listing> = {}) => listing({ playlistId: UPLOADS, phase: 'shorts', ...given });
  const lists = {
    [SHORTS]: [[video('s1')], [video('s2')]],
    [UPLOADS]: [
      [video('a'), video('s1')],
      [video('s2'), video('b')],
    ],
  };

  it('reads the list of Shorts first, and recognises them among the rows', async () => {
    const pages = await walk(fakeDeps(fakePlatform(lists)), uploads());
    expect(pages.map(({ page }) => page.phase)).toEqual(['shorts', 'shorts', 'rows', 'rows']);
    expect(rowsOf(pages).map(({ id, isShort }) => [id, isShort])).toEqual([
      ['a', false],
      ['s1', true],
      ['s2', true],
      ['b', false],
    ]);
    expect(pages.at(-1)?.after).toMatchObject({ state: 'complete', pageCount: 4, rowCount: 4 });
  });

  it('uses them to mark which videos are Shorts and which are not', async () => {
    const pages = await walk(fakeDeps(fakePlatform(lists)), uploads());
    const facts = pages.flatMap((page) => page.facts).map(({ id, isShort }) => [id, isShort]);
    expect(facts).toEqual([
      ['a', false],
      ['s1', true],
      ['s2', true],
      ['b', false],
    ]);
  });

  it('continues in its second phase with the saved Shorts', async () => {
    const begun = uploads({ phase: 'rows', nextToken: '1', pageCount: 3, rowCount: 2 });
    const pages = await walk(fakeDeps(fakePlatform(lists)), begun, savedIds(['s1', 's2'], ['a', 's1']));
    expect(rowsOf(pages).map(({ id, isShort }) => [id, isShort])).toEqual([
      ['s2', true],
      ['b', false],
    ]);
  });

  it('of a channel without Shorts has no list of them', async () => {
    const pages = await walk(fakeDeps(fakePlatform({ [UPLOADS]: [[video('a')]] })), uploads());
    expect(pages.map(({ page, after }) => [page.phase, after.phase, after.state])).toEqual([
      ['shorts', 'rows', 'open'],
      ['rows', 'rows', 'complete'],
    ]);
  });

  it.each(['shorts', 'videos'] as const)(
    'without %s is an empty listing, not a missing one',
    async (contents) => {
      const begun = uploads({ contents, phase: 'rows' });
      const pages = await walk(fakeDeps(fakePlatform({ [UPLOADS]: [[video('a')]] })), begun);
      expect(pages.map(({ after }) => [after.state, after.rowCount])).toEqual([['complete', 0]]);
      await expect(walk(fakeDeps(fakePlatform({})), begun)).rejects.toMatchObject({
        code: 'source_not_found',
      });
    },
  );

  it('reads both lists at the same time, and no more than a few pages ahead', async () => {
    const long = Array.from({ length: 60 }, (_, index) => [video(`v${index}`)]);
    const read: string[] = [];
    const platform = fakePlatform({ [SHORTS]: [[video('s1')], [video('s2')]], [UPLOADS]: long }, (list, page) =>
      read.push(`${list} ${page}`),
    );
    for await (const _ of missingPages(fakeDeps(platform), uploads(), savedIds(), {})) break;
    expect(read.filter((each) => each.startsWith(`${UPLOADS} `)).length).toBeGreaterThan(0);
    expect(read.filter((each) => each.startsWith(`${UPLOADS} `)).length).toBeLessThanOrEqual(12);
  });

  it('stops its requests when its reader leaves', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const platform = {
      listPage: async (list: string, token: string | null, { signal }: { signal?: AbortSignal }) => {
        signals.push(signal);
        return fakePlatform(lists).listPage(list, token);
      },
    };
    for await (const _ of missingPages(fakeDeps(platform), uploads(), savedIds(), {})) break;
    expect(signals.length).toBeGreaterThan(0);
    expect(signals.every((signal) => signal?.aborted)).toBe(true);
  });
});
