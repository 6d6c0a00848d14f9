import { MOST_LISTED_VIDEOS, ServiceError } from '@tds/contracts';
import { crashPoint, LeaseLost, type TaskContext } from '@tds/service-kit';
import type { Call, ListedVideo, Page } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import type { ListedRow, Listing } from '../domain/listing.ts';
import { belongsTo, isShort, type Phase, phasesOf } from '../domain/source.ts';
import { appendPage, type SavedPage } from '../store/listings.ts';
import { saveKnownVideos, type VideoSaid } from '../store/videos.ts';
import { readAhead } from './read-ahead.ts';

const emptyPage: Page<ListedVideo> = { items: [], next: null, omitted: 0 };

/** Over the Data API where it is configured. A channel without Shorts has no list of them. */
const pageOf = async (
  { dataApi, discovery }: Deps,
  { name, playlistId }: Phase,
  token: string | null,
  call: Call,
): Promise<Page<ListedVideo>> => {
  try {
    return await (dataApi ?? discovery).listPage(playlistId, token, call);
  } catch (error) {
    const isMissing = error instanceof ServiceError && error.code === 'source_not_found';
    if (name === 'shorts' && token === null && isMissing) return emptyPage;
    throw error;
  }
};

/** The platform's own crop of a picture is signed and long; without it the address names the whole picture. */
const shortAddress = (url: string | null): string | null => url?.split('?', 1)[0] ?? null;

const rowsOf = (
  page: Page<ListedVideo>,
  { contents, rowCount }: Listing,
  playlistId: string,
  shorts: ReadonlySet<string>,
): ListedRow[] =>
  page.items
    .map((item) => ({
      ...item,
      thumbnailUrl: shortAddress(item.thumbnailUrl),
      isShort: isShort(item, playlistId, shorts),
    }))
    .filter((row) => /^UU(?:LF|SH)/.test(playlistId) || belongsTo(contents, row))
    .slice(0, MOST_LISTED_VIDEOS - rowCount);

/** Outside of a channel's own lists only the mark of a Short says something. */
const onlyMarkedShorts = (row: ListedRow) => ({ ...row, isShort: row.isShort || null });

type Progress = Pick<Listing, 'phase' | 'nextToken'> & { readonly isComplete: boolean };

/** Twice as many as the longest list has at 50 a page, with its Shorts: a platform that never ends a list is not walked for ever. */
const MOST_PAGES = 1_600;

/** Where the walk goes on: at the next page, in the next phase, or nowhere. */
const progressOf = (
  listing: Listing,
  phases: readonly Phase[],
  next: string | null,
  saved: number,
): Progress => {
  const isFull = listing.phase === 'rows' && listing.rowCount + saved >= MOST_LISTED_VIDEOS;
  const isEndless = next === listing.nextToken || listing.pageCount >= MOST_PAGES;
  if (next !== null && !isFull && !isEndless)
    return { phase: listing.phase, nextToken: next, isComplete: false };
  const following = phases[phases.findIndex(({ name }) => name === listing.phase) + 1];
  return following && !isFull
    ? { phase: following.name, nextToken: null, isComplete: false }
    : { phase: listing.phase, nextToken: null, isComplete: true };
};

/** A page that came, with what it makes of the listing. */
export type Fetched = {
  readonly before: Listing;
  readonly page: SavedPage;
  readonly said: readonly VideoSaid[];
  readonly after: Listing;
};

/** What a page makes of its listing; `shorts` are the ids that its first phase has found so far, and grow with it. */
const takeIn = (listing: Listing, phase: Phase, page: Page<ListedVideo>, shorts: Set<string>): Fetched => {
  const phases = phasesOf(listing.playlistId, listing.contents);
  const rows = phase.name === 'rows' ? rowsOf(page, listing, phase.playlistId, shorts) : [];
  const ids = phase.name === 'shorts' ? page.items.map(({ id }) => id) : [];
  for (const id of ids) shorts.add(id);
  const { isComplete, ...progress } = progressOf(listing, phases, page.next, rows.length);
  const after: Listing = {
    ...{ ...listing, ...progress, state: isComplete ? 'complete' : 'open' },
    ...{ pageCount: listing.pageCount + 1, rowCount: listing.rowCount + rows.length },
  };
  const said = phase.playlistId.startsWith('UU') ? rows : rows.map(onlyMarkedShorts);
  return {
    before: listing,
    page: { phase: phase.name, rows: phase.name === 'rows' ? rows : ids },
    said,
    after,
  };
};

/** The pages of one list from a token on; the platform ends it, or says the same token again. */
async function* pagesFrom(
  deps: Deps,
  phase: Phase,
  token: string | null,
  call: Call,
): AsyncGenerator<Page<ListedVideo>> {
  for (let at = token; ; ) {
    const page = await pageOf(deps, phase, at, call);
    yield page;
    if (page.next === null || page.next === at) return;
    at = page.next;
  }
}

/** A few, so that memory stays flat however long a list is, and so that little was asked for nothing where a walk ends. */
const READ_AHEAD = 12;

/**
 * The pages that a listing lacks, one after the other, each with what it makes of the listing. All of its lists are walked
 * through at the same time; of those that come later a few pages are kept until it is their turn, for whether a row is a
 * Short is known when all Shorts are.
 */
export async function* missingPages(
  deps: Deps,
  begun: Listing,
  shorts: Set<string>,
  call: Call,
): AsyncGenerator<Fetched> {
  const phases = phasesOf(begun.playlistId, begun.contents);
  const current = phases.findIndex(({ name }) => name === begun.phase);
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, ...(call.signal ? [call.signal] : [])]);
  const lists = phases.slice(Math.max(0, current)).map((phase, index) => {
    const token = index === 0 ? begun.nextToken : null;
    return { phase, pages: readAhead(pagesFrom(deps, phase, token, { ...call, signal }), READ_AHEAD) };
  });
  try {
    let listing = begun;
    for (const { phase, pages } of lists) {
      for await (const page of pages) {
        crashPoint('listing-page-fetched');
        const fetched = takeIn(listing, phase, page, shorts);
        yield fetched;
        listing = fetched.after;
        if (listing.state !== 'open' || listing.phase !== phase.name) break;
      }
      if (listing.state !== 'open') return;
    }
  } finally {
    ending.abort();
  }
}

/** Saves a page, with the end of the task where it is the last. Throws `LeaseLost` where somebody else has saved one. */
export const savePage = (
  { db, messaging, now }: Deps,
  { before, page, said, after }: Fetched,
  task: TaskContext,
) =>
  messaging.transaction(db, async (tx) => {
    if (!(await appendPage(tx, before, page, after, now()))) throw new LeaseLost(task.taskId);
    await saveKnownVideos(tx, said, now());
    if (after.state === 'complete') await task.complete(tx);
  });
