import { describe, expect, it } from '@jest/globals';
import { MAX_LISTED_VIDEOS } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { ListedRow } from '../domain/listing.ts';
import {
  fakeDeps,
  fakePlatform,
  listing,
  PLAYLIST,
  rowsOf,
  savedIds,
  video,
  walk,
} from '../test-support/walks.ts';
import { missingPages } from './listing-pages.ts';

describe('a walk through a playlist', () => {
  const lists = { [PLAYLIST]: [[video('a'), video('b')], [video('c')], [video('d')]] };

  it('fetches its pages in order, and completes the listing with the last', async () => {
    const pages = await walk(fakeDeps(fakePlatform(lists)), listing());
    expect(rowsOf(pages).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(pages.map(({ after }) => [after.state, after.nextToken, after.pageCount, after.rowCount])).toEqual([
      ['open', '1', 1, 2],
      ['open', '2', 2, 3],
      ['complete', null, 3, 4],
    ]);
  });

  it('continues after the last saved page', async () => {
    const begun = listing({ nextToken: '2', pageCount: 2, rowCount: 3 });
    const pages = await walk(fakeDeps(fakePlatform(lists)), begun);
    expect(rowsOf(pages).map(({ id }) => id)).toEqual(['d']);
    expect(pages.at(-1)?.after).toMatchObject({ state: 'complete', pageCount: 3, rowCount: 4 });
  });

  it('uses the Data API if there is one', async () => {
    const pages = await walk(fakeDeps({}, fakePlatform(lists)), listing());
    expect(rowsOf(pages)).toHaveLength(4);
  });

  it.each([
    ['all', ['a', 'b', 'c']],
    ['videos', ['a', 'c']],
    ['shorts', ['b']],
  ] as const)('keeps its %s', async (contents, expected) => {
    const marked = {
      [PLAYLIST]: [[video('a'), video('b', { isShort: true }), video('c', { isShort: false })]],
    };
    const pages = await walk(fakeDeps(fakePlatform(marked)), listing({ contents }));
    expect(rowsOf(pages).map(({ id }) => id)).toEqual(expected);
  });

  it('does not take an unmarked video as no Short', async () => {
    const marked = { [PLAYLIST]: [[video('a', { isShort: false }), video('b', { isShort: true })]] };
    const [page] = await walk(fakeDeps(fakePlatform(marked)), listing());
    expect(page?.facts.map(({ id, isShort }) => [id, isShort])).toEqual([
      ['a', null],
      ['b', true],
    ]);
  });

  it('stores pictures without their query', async () => {
    const pictured = { [PLAYLIST]: [[video('a', { thumbnailUrl: 'https://i.example/a.jpg?sqp=x&rs=y' })]] };
    const [page] = await walk(fakeDeps(fakePlatform(pictured)), listing());
    expect(page?.page.rows).toMatchObject([{ thumbnailUrl: 'https://i.example/a.jpg' }]);
  });

  it('counts what could not be read, and never hides it', async () => {
    const partly = {
      listPage: async (list: string, token: string | null) => ({
        ...(await fakePlatform(lists).listPage(list, token)),
        omitted: 2,
      }),
    };
    const pages = await walk(fakeDeps(partly), listing({ omitted: 1 }));
    expect(pages.map(({ after }) => after.omitted)).toEqual([3, 5, 7]);
  });

  it('of an empty list completes it', async () => {
    const pages = await walk(fakeDeps(fakePlatform({ [PLAYLIST]: [[]] })), listing());
    expect(pages.map(({ after }) => [after.state, after.rowCount])).toEqual([['complete', 0]]);
  });

  it('ends at the largest number of videos, in the middle of a page', async () => {
    const begun = listing({ rowCount: MAX_LISTED_VIDEOS - 1, pageCount: 200 });
    const pages = await walk(fakeDeps(fakePlatform(lists)), begun);
    expect(rowsOf(pages).map(({ id }) => id)).toEqual(['a']);
    expect(pages.map(({ after }) => [after.state, after.rowCount])).toEqual([['complete', MAX_LISTED_VIDEOS]]);
  });

  it.each([
    ['inside of its last page', [[video('a'), video('b')]], 1, 1],
    ['before its next page', [[video('a')], [video('b')]], 1, 1],
    ['not at all', [[video('a')]], 1, 0],
  ])('says that it is cut %s', async (_what, list, room, omitted) => {
    const begun = listing({ rowCount: MAX_LISTED_VIDEOS - room, pageCount: 200 });
    const pages = await walk(fakeDeps(fakePlatform({ [PLAYLIST]: list })), begun);
    expect(pages.at(-1)?.after).toMatchObject({ state: 'complete', omitted });
  });

  it.each([
    [
      'of one page, of several and before a restart',
      [
        ['a', 'b', 'a'],
        ['b', 'c'],
        ['c', 'd', 'z'],
      ],
      'abcd',
    ],
    ['of whole pages, before new ones', [['a'], ['b'], ['a'], ['b'], ['c']], 'abc'],
  ])('lists a video once that stands in it twice: %s', async (_, ids, expected) => {
    const doubled = { [PLAYLIST]: ids.map((page) => page.map((id) => video(id))) };
    const pages = await walk(fakeDeps(fakePlatform(doubled)), listing(), savedIds([], ['z']));
    expect(rowsOf(pages).map(({ id }) => id)).toEqual([...expected]);
    expect(pages.at(-1)?.after).toMatchObject({ state: 'complete', rowCount: expected.length });
  });

  it.each([
    ['repeats a token', () => 'same', 2],
    ['alternates its tokens', (asked: number) => ['one', 'two'][asked % 2], 3],
    ['repeats its pages under new tokens', String, 5],
  ])('ends if the platform %s', async (_, tokenOf, requests) => {
    let asked = 0;
    const circular = {
      listPage: async () => {
        const page = asked++;
        return { items: [video(`v${page % 2}`)], next: tokenOf(page), omitted: 0 };
      },
    };
    const pages = await walk(fakeDeps(circular), listing());
    expect(rowsOf(pages).map(({ id }) => id)).toEqual(['v0', 'v1']);
    expect([pages.at(-1)?.after.state, asked]).toEqual(['complete', requests]);
  });

  it('goes on behind pages without videos, and ends a list that the platform never ends', async () => {
    const sparse = { [PLAYLIST]: [[video('a')], [], [], [], [video('b')]] };
    expect(rowsOf(await walk(fakeDeps(fakePlatform(sparse)), listing())).map(({ id }) => id)).toEqual([
      'a',
      'b',
    ]);
    let page = 0;
    const growing = {
      listPage: async () => {
        page += 1;
        return { items: [], next: String(page), omitted: 0 };
      },
    };
    const many = await walk(fakeDeps(growing), listing({ nextToken: 'x', pageCount: 1_600 }));
    expect(many.map(({ after }) => after.state)).toEqual(['complete']);
  });

  it('fails with the error of a page, after the pages before it', async () => {
    const failing = {
      listPage: async (list: string, token: string | null) => {
        if (token === '1') throw serviceError('upstream_error');
        return fakePlatform(lists).listPage(list, token);
      },
    };
    const rows: string[] = [];
    const reading = async () => {
      for await (const { page } of missingPages(fakeDeps(failing), listing(), savedIds(), {}))
        rows.push(...(page.rows as readonly ListedRow[]).map(({ id }) => id));
    };
    await expect(reading()).rejects.toMatchObject({ code: 'upstream_error' });
    expect(rows).toEqual(['a', 'b']);
  });

  it('of a missing list fails', async () => {
    await expect(walk(fakeDeps(fakePlatform({})), listing())).rejects.toMatchObject({
      code: 'source_not_found',
    });
  });
});
