import { serviceError } from '@tds/errors';
import type { ListedVideo, Page } from '@tds/video-platform';
import { missingPages } from '../application/listing-pages.ts';
import type { Deps } from '../deps.ts';
import type { ListedRow, Listing } from '../domain/listing.ts';

const SUFFIX = 'abcdefghijklmnopqrstuv';
export const UPLOADS = `UU${SUFFIX}`;
export const SHORTS = `UUSH${SUFFIX}`;
export const PLAYLIST = 'PLabcdefghijklmnopqrstuvwxyz012345';

export const video = (id: string, fields: Partial<ListedVideo> = {}): ListedVideo => ({
  id,
  title: id,
  publishedAt: null,
  durationSeconds: 60,
  thumbnailUrl: null,
  isShort: null,
  ...fields,
});
export const listing = (fields: Partial<Listing> = {}): Listing => ({
  id: 'listing',
  playlistId: PLAYLIST,
  contents: 'all',
  state: 'open',
  phase: 'rows',
  nextToken: null,
  rowCount: 0,
  pageCount: 0,
  omitted: 0,
  error: null,
  createdAt: new Date(),
  endedAt: null,
  ...fields,
});

type Lists = Readonly<Record<string, readonly (readonly ListedVideo[])[]>>;

/** A platform with these lists, page by page; the token of a page is its index. */
export const fakePlatform = (lists: Lists, onRead: (list: string, page: number) => void = () => {}) => ({
  listPage: async (list: string, token: string | null): Promise<Page<ListedVideo>> => {
    const page = Number(token ?? 0);
    onRead(list, page);
    const items = lists[list]?.[page];
    if (items === undefined) throw serviceError('source_not_found');
    const next = page + 1 < (lists[list]?.length ?? 0) ? String(page + 1) : null;
    return { items, next, omitted: 0 };
  },
});
export const fakeDeps = (discovery: object, dataApi: object | null = null) =>
  ({ discovery, dataApi }) as unknown as Deps;

export const savedIds = (shorts: readonly string[] = [], rows: readonly string[] = []) => ({
  shorts: new Set(shorts),
  rows: new Set(rows),
});
export const walk = async (deps: Deps, start: Listing, ids = savedIds()) => {
  const pages = [];
  for await (const page of missingPages(deps, start, ids, {})) pages.push(page);
  return pages;
};
export const rowsOf = (pages: Awaited<ReturnType<typeof walk>>) =>
  pages.flatMap(({ page }) => (page.phase === 'rows' ? (page.rows as readonly ListedRow[]) : []));
