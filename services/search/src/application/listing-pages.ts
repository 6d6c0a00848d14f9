import { LeaseLost } from '@tds/base';
import { MAX_LISTED_VIDEOS } from '@tds/contracts';
import { hasCode } from '@tds/errors';
import { crashPoint, type TaskContext } from '@tds/messaging';
import type { Call, ListedVideo, Page } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { type ListedRow, type Listing, withShortAddress } from '../domain/listing.ts';
import { belongsTo, isShort, listPhases, type Phase } from '../domain/source.ts';
import { appendPage, type SavedIds, type SavedPage } from '../store/listings.ts';
import { saveKnownVideos } from '../store/videos.ts';

/**
 * The items of a source in order. Requests up to `limit` items ahead, starting now. An error takes its place among the items. A consumer that
 * stops early must end the source.
 */
export const readAhead = <Item>(source: AsyncGenerator<Item>, limit: number): AsyncIterable<Item> => {
  const pending: Promise<IteratorResult<Item>>[] = [];
  const requestNext = (): void => {
    const next = source.next();
    // Awaited in its turn, unless the consumer stops before.
    next.catch(() => undefined);
    pending.push(next);
  };
  for (let count = 0; count < limit; count += 1) requestNext();
  return {
    async *[Symbol.asyncIterator]() {
      for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
        const { done, value } = await next;
        if (done) return;
        requestNext();
        yield value;
      }
    },
  };
};

const emptyPage: Page<ListedVideo> = { items: [], next: null, omitted: 0 };

/** A channel's list of its Shorts, its broadcasts, or its other videos. */
const PART_OF_UPLOADS = /^UU(?:LF|SH|LV)/;

/** Uses the Data API if it is configured. The platform has no list of Shorts for a channel without Shorts. */
const readPage = async (
  { dataApi, discovery }: Deps,
  { name, playlistId }: Phase,
  token: string | null,
  call: Call,
) => {
  const lists = dataApi ?? discovery;
  try {
    return await lists.listPage(playlistId, token, call);
  } catch (error) {
    const isMissing = hasCode(error, 'source_not_found');
    if (token !== null || !isMissing || !PART_OF_UPLOADS.test(playlistId)) throw error;
    // The phase of all rows proves that the channel exists; a part alone does not.
    if (name === 'rows') await lists.listPage(playlistId.replace(PART_OF_UPLOADS, 'UU'), null, call);
    return emptyPage;
  }
};

const toRows = (
  page: Page<ListedVideo>,
  { contents }: Listing,
  playlistId: string,
  shorts: ReadonlySet<string>,
): ListedRow[] =>
  page.items
    .map((item) => ({ ...withShortAddress(item), isShort: isShort(item, playlistId, shorts) }))
    .filter((row) => PART_OF_UPLOADS.test(playlistId) || belongsTo(contents, row));

/** Outside of a channel's lists only the mark of a Short is reliable. */
const onlyMarkedShorts = (row: ListedRow) => ({ ...row, isShort: row.isShort || null });

type Progress = Pick<Listing, 'phase' | 'nextToken'> & { readonly isComplete: boolean };

/** Twice the pages of the longest list with its Shorts, at 50 a page: ends a list that the platform never ends. */
const MAX_PAGES = 1_600;

/** The next page, the next phase, or the end. */
const computeProgress = (
  listing: Listing,
  phases: readonly Phase[],
  next: string | null,
  savedRows: number,
): Progress => {
  const isFull = listing.phase === 'rows' && listing.rowCount + savedRows >= MAX_LISTED_VIDEOS;
  if (next !== null && !isFull && listing.pageCount < MAX_PAGES)
    return { phase: listing.phase, nextToken: next, isComplete: false };
  const nextPhase = phases[phases.findIndex(({ name }) => name === listing.phase) + 1];
  return nextPhase && !isFull
    ? { phase: nextPhase.name, nextToken: null, isComplete: false }
    : { phase: listing.phase, nextToken: null, isComplete: true };
};

/** A fetched page, and the listing before and after it. */
type FetchedPage = {
  readonly before: Listing;
  readonly page: SavedPage;
  readonly facts: readonly ListedVideo[];
  readonly after: Listing;
};

/** Adds a page to its listing. `shorts` are the ids that the first phase has found. */
const addPage = (
  listing: Listing,
  phase: Phase,
  page: Page<ListedVideo>,
  shorts: ReadonlySet<string>,
): FetchedPage => {
  const phases = listPhases(listing.playlistId, listing.contents);
  const found = phase.name === 'rows' ? toRows(page, listing, phase.playlistId, shorts) : [];
  const rows = found.slice(0, MAX_LISTED_VIDEOS - listing.rowCount);
  const ids = phase.name === 'shorts' ? page.items.map(({ id }) => id) : [];
  const { isComplete, ...progress } = computeProgress(listing, phases, page.next, rows.length);
  // How many more videos a list has that is cut is not known: one at least.
  const cut = found.length - rows.length + Number(isComplete && page.next !== null);
  const after: Listing = {
    ...listing,
    ...progress,
    state: isComplete ? 'complete' : 'open',
    pageCount: listing.pageCount + 1,
    rowCount: listing.rowCount + rows.length,
    omitted: listing.omitted + (phase.name === 'rows' ? page.omitted + cut : 0),
  };
  const facts = phase.playlistId.startsWith('UU') ? rows : rows.map(onlyMarkedShorts);
  return {
    before: listing,
    page: { phase: phase.name, rows: phase.name === 'rows' ? rows : ids },
    facts,
    after,
  };
};

/**
 * The pages of a list from a token on, each video once: owners add videos twice, and paging shifts. The list ends without a token, at a
 * token seen before, or when more pages in a row bring nothing new than brought something: then it repeats itself.
 */
async function* readPages(
  deps: Deps,
  phase: Phase,
  { start, token, ids }: { readonly start: Listing; readonly token: string | null; readonly ids: Set<string> },
  call: Call,
): AsyncGenerator<Page<ListedVideo>> {
  const tokens = new Set([token]);
  let [fresh, repeats] = [token === null ? 0 : start.pageCount, 0];
  for (let at = token; ; ) {
    const page = await readPage(deps, phase, at, call);
    const items = page.items.filter(({ id }) => !ids.has(id) && ids.add(id));
    if (items.length > 0) [fresh, repeats] = [fresh + 1, 0];
    else if (page.items.length > 0) repeats += 1;
    const isOver = page.next === null || tokens.has(page.next) || repeats > fresh;
    yield { ...page, items, next: isOver ? null : page.next };
    if (isOver) return;
    tokens.add(page.next);
    at = page.next;
  }
}

/** Pages read ahead: few, for memory, and because they are wasted when a walk ends. */
const READ_AHEAD = 12;

/**
 * The missing pages of a listing, in order. Its lists are read concurrently; later lists wait, because a row is known as a Short only
 * when all Shorts are known.
 */
export async function* missingPages(
  deps: Deps,
  start: Listing,
  savedIds: SavedIds,
  call: Call,
): AsyncGenerator<FetchedPage> {
  const phases = listPhases(start.playlistId, start.contents);
  const current = phases.findIndex(({ name }) => name === start.phase);
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, ...(call.signal ? [call.signal] : [])]);
  const lists = phases.slice(Math.max(0, current)).map((phase, index) => {
    const token = index === 0 ? start.nextToken : null;
    const from = { start, token, ids: savedIds[phase.name] };
    return { phase, pages: readAhead(readPages(deps, phase, from, { ...call, signal }), READ_AHEAD) };
  });
  try {
    let listing = start;
    for (const { phase, pages } of lists) {
      for await (const page of pages) {
        crashPoint('listing-page-fetched');
        const fetchedPage = addPage(listing, phase, page, savedIds.shorts);
        yield fetchedPage;
        listing = fetchedPage.after;
        if (listing.state !== 'open' || listing.phase !== phase.name) break;
      }
      if (listing.state !== 'open') return;
    }
  } finally {
    ending.abort();
  }
}

/** Saves a page, and completes the task with the last one. Throws `LeaseLost` if another process saved it. */
export const savePage = (
  { db, messaging, now }: Deps,
  { before, page, facts, after }: FetchedPage,
  task: TaskContext,
) =>
  messaging.transaction(db, async (tx) => {
    if (!(await appendPage(tx, before, page, after, now()))) throw new LeaseLost(task.taskId);
    await saveKnownVideos(tx, facts, now());
    if (after.state === 'complete') await task.complete(tx);
  });
