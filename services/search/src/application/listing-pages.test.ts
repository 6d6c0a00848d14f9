import { describe, expect, it } from '@jest/globals';
import { MOST_LISTED_VIDEOS, serviceError } from '@tds/contracts';
import type { ListedVideo, Page } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import type { ListedRow, Listing } from '../domain/listing.ts';
import { missingPages } from './listing-pages.ts';

const SUFFIX = 'abcdefghijklmnopqrstuv';
const UPLOADS = `UU${SUFFIX}`;
const SHORTS = `UUSH${SUFFIX}`;
const PLAYLIST = 'PLabcdefghijklmnopqrstuvwxyz012345';

const video = (id: string, given: Partial<ListedVideo> = {}): ListedVideo => ({
  id,
  title: id,
  publishedAt: null,
  durationSeconds: 60,
  thumbnailUrl: null,
  isShort: null,
  ...given,
});
const listing = (given: Partial<Listing> = {}): Listing => ({
  id: 'listing',
  playlistId: PLAYLIST,
  contents: 'all',
  state: 'open',
  phase: 'rows',
  nextToken: null,
  rowCount: 0,
  pageCount: 0,
  error: null,
  createdAt: new Date(),
  endedAt: null,
  ...given,
});

type Lists = Readonly<Record<string, readonly (readonly ListedVideo[])[]>>;

/** A platform with these lists, page by page; the token of a page is its index. */
const platformOf = (lists: Lists, onRead: (list: string, page: number) => void = () => {}) => ({
  listPage: async (list: string, token: string | null): Promise<Page<ListedVideo>> => {
    const page = Number(token ?? 0);
    onRead(list, page);
    const items = lists[list]?.[page];
    if (items === undefined) throw serviceError('source_not_found');
    const next = page + 1 < (lists[list]?.length ?? 0) ? String(page + 1) : null;
    return { items, next, omitted: 0 };
  },
});
const depsOf = (discovery: object, dataApi: object | null = null) =>
  ({ discovery, dataApi }) as unknown as Deps;

const walk = async (deps: Deps, begun: Listing, shorts = new Set<string>()) => {
  const pages = [];
  for await (const page of missingPages(deps, begun, shorts, {})) pages.push(page);
  return pages;
};
const rowsOf = (pages: Awaited<ReturnType<typeof walk>>) =>
  pages.flatMap(({ page }) => (page.phase === 'rows' ? (page.rows as readonly ListedRow[]) : []));

describe('a walk through a playlist', () => {
  const lists = { [PLAYLIST]: [[video('a'), video('b')], [video('c')], [video('d')]] };

  it('fetches its pages in order, and completes the listing with the last', async () => {
    const pages = await walk(depsOf(platformOf(lists)), listing());
    expect(rowsOf(pages).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(pages.map(({ after }) => [after.state, after.nextToken, after.pageCount, after.rowCount])).toEqual(
      [
        ['open', '1', 1, 2],
        ['open', '2', 2, 3],
        ['complete', null, 3, 4],
      ],
    );
  });

  it('continues after the last saved page', async () => {
    const begun = listing({ nextToken: '2', pageCount: 2, rowCount: 3 });
    const pages = await walk(depsOf(platformOf(lists)), begun);
    expect(rowsOf(pages).map(({ id }) => id)).toEqual(['d']);
    expect(pages.at(-1)?.after).toMatchObject({ state: 'complete', pageCount: 3, rowCount: 4 });
  });

  it('uses the Data API if there is one', async () => {
    const pages = await walk(depsOf({}, platformOf(lists)), listing());
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
    const pages = await walk(depsOf(platformOf(marked)), listing({ contents }));
    expect(rowsOf(pages).map(({ id }) => id)).toEqual(expected);
  });

  it('does not take an unmarked video as no Short', async () => {
    const marked = { [PLAYLIST]: [[video('a', { isShort: false }), video('b', { isShort: true })]] };
    const [page] = await walk(depsOf(platformOf(marked)), listing());
    expect(page?.facts.map(({ id, isShort }) => [id, isShort])).toEqual([
      ['a', null],
      ['b', true],
    ]);
  });

  it('stores pictures without their query', async () => {
    const pictured = { [PLAYLIST]: [[video('a', { thumbnailUrl: 'https://i.example/a.jpg?sqp=x&rs=y' })]] };
    const [page] = await walk(depsOf(platformOf(pictured)), listing());
    expect(page?.page.rows).toMatchObject([{ thumbnailUrl: 'https://i.example/a.jpg' }]);
  });

  it('of an empty list completes it', async () => {
    const pages = await walk(depsOf(platformOf({ [PLAYLIST]: [[]] })), listing());
    expect(pages.map(({ after }) => [after.state, after.rowCount])).toEqual([['complete', 0]]);
  });

  it('ends at the largest number of videos, in the middle of a page', async () => {
    const begun = listing({ rowCount: MOST_LISTED_VIDEOS - 1, pageCount: 200 });
    const pages = await walk(depsOf(platformOf(lists)), begun);
    expect(rowsOf(pages).map(({ id }) => id)).toEqual(['a']);
    expect(pages.map(({ after }) => [after.state, after.rowCount])).toEqual([
      ['complete', MOST_LISTED_VIDEOS],
    ]);
  });

  it('ends if the platform repeats a token, or never ends the list', async () => {
    const endless = { listPage: async () => ({ items: [video('a')], next: 'same', omitted: 0 }) };
    const repeated = await walk(depsOf(endless), listing({ nextToken: 'same', pageCount: 1 }));
    expect(repeated.map(({ after }) => after.state)).toEqual(['complete']);
    let page = 0;
    const growing = {
      listPage: async () => {
        page += 1;
        return { items: [], next: String(page), omitted: 0 };
      },
    };
    const many = await walk(depsOf(growing), listing({ nextToken: 'x', pageCount: 1_600 }));
    expect(many.map(({ after }) => after.state)).toEqual(['complete']);
  });

  it('fails with the error of a page, after the pages before it', async () => {
    const failing = {
      listPage: async (list: string, token: string | null) => {
        if (token === '1') throw serviceError('upstream_error');
        return platformOf(lists).listPage(list, token);
      },
    };
    const rows: string[] = [];
    const reading = async () => {
      for await (const { page } of missingPages(depsOf(failing), listing(), new Set(), {}))
        rows.push(...(page.rows as readonly ListedRow[]).map(({ id }) => id));
    };
    await expect(reading()).rejects.toMatchObject({ code: 'upstream_error' });
    expect(rows).toEqual(['a', 'b']);
  });

  it('of a missing list fails', async () => {
    await expect(walk(depsOf(platformOf({})), listing())).rejects.toMatchObject({ code: 'source_not_found' });
  });
});

describe('a walk through all uploads of a channel', () => {
  const uploads = (given: Partial<Listing> = {}) =>
    listing({ playlistId: UPLOADS, phase: 'shorts', ...given });
  const lists = {
    [SHORTS]: [[video('s1')], [video('s2')]],
    [UPLOADS]: [
      [video('a'), video('s1')],
      [video('s2'), video('b')],
    ],
  };

  it('reads the list of Shorts first, and recognises them among the rows', async () => {
    const pages = await walk(depsOf(platformOf(lists)), uploads());
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
    const pages = await walk(depsOf(platformOf(lists)), uploads());
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
    const pages = await walk(depsOf(platformOf(lists)), begun, new Set(['s1', 's2']));
    expect(rowsOf(pages).map(({ id, isShort }) => [id, isShort])).toEqual([
      ['s2', true],
      ['b', false],
    ]);
  });

  it('of a channel without Shorts has no list of them', async () => {
    const pages = await walk(depsOf(platformOf({ [UPLOADS]: [[video('a')]] })), uploads());
    expect(pages.map(({ page, after }) => [page.phase, after.phase, after.state])).toEqual([
      ['shorts', 'rows', 'open'],
      ['rows', 'rows', 'complete'],
    ]);
  });

  it('reads both lists at the same time, and no more than a few pages ahead', async () => {
    const long = Array.from({ length: 60 }, (_, index) => [video(`v${index}`)]);
    const read: string[] = [];
    const platform = platformOf({ [SHORTS]: [[video('s1')], [video('s2')]], [UPLOADS]: long }, (list, page) =>
      read.push(`${list} ${page}`),
    );
    for await (const _ of missingPages(depsOf(platform), uploads(), new Set(), {})) break;
    expect(read.filter((each) => each.startsWith(`${UPLOADS} `)).length).toBeGreaterThan(0);
    expect(read.filter((each) => each.startsWith(`${UPLOADS} `)).length).toBeLessThanOrEqual(12);
  });

  it('stops its requests when its reader leaves', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const platform = {
      listPage: async (list: string, token: string | null, { signal }: { signal?: AbortSignal }) => {
        signals.push(signal);
        return platformOf(lists).listPage(list, token);
      },
    };
    for await (const _ of missingPages(depsOf(platform), uploads(), new Set(), {})) break;
    expect(signals.length).toBeGreaterThan(0);
    expect(signals.every((signal) => signal?.aborted)).toBe(true);
  });
});
