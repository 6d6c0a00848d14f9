import { type Call, PlatformError } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { listOf, type Source, type Walk } from '../domain/source.ts';
import type { Entry } from '../store/videos.ts';

/** In one look: some hundred videos. What is left is read by the next one. */
const MOST_PAGES = 8;
/** The platform lists 20,000 videos at most, 100 a page: whoever shows more pages shows the same ones again and again. */
const MOST_PAGES_OF_A_LIST = 400;
/** No page is begun later than this, so that a slow platform holds up no lease. */
const WALK_MS = 10_000;

type Walked = {
  readonly rows: readonly Entry[];
  /** It was read to its end, or as far as was wanted. */
  readonly isOver: boolean;
  /** Where the next look goes on; a token that is refused is forgotten. */
  readonly from: Pick<Walk, 'list_token' | 'list_pages'>;
  /** Why it went no further. */
  readonly error: PlatformError | null;
};

type Wanted = {
  readonly source: Source;
  readonly from: Walked['from'];
  /** Nothing behind these is wanted. */
  readonly isEnough: (rows: readonly Entry[]) => Promise<boolean>;
};

type Parts = Pick<Deps, 'platform'>;
type Next = Awaited<ReturnType<Deps['platform']['listPage']>>;

/** Throws what is none. */
export const platformErrorOf = (thrown: unknown): PlatformError => {
  if (thrown instanceof PlatformError) return thrown;
  throw thrown;
};

type Stopped = { rows: Entry[]; token: string | null; pages: number; read: number };

const stoppedBy = (error: PlatformError, { rows, token, pages, read }: Stopped): Walked => {
  const from = read === 0 ? { list_token: null, list_pages: 0 } : { list_token: token, list_pages: pages };
  return { rows, isOver: false, from, error };
};

const isLast = ({ next }: Next, token: string | null, pages: number): boolean =>
  next === null || next === token || pages >= MOST_PAGES_OF_A_LIST;

/** Reads the list of a source on from where the last look has stopped. */
export const walkList = async (
  { platform }: Parts,
  { source, from, isEnough }: Wanted,
  call: Call,
): Promise<Walked> => {
  const endsAt = performance.now() + WALK_MS;
  const rows: Entry[] = [];
  let { list_token: token } = from;
  // What was read the last time is no part of this one.
  let pages = token === null ? 0 : from.list_pages;
  for (let read = 0; read < MOST_PAGES && performance.now() < endsAt; read += 1) {
    const page = await platform.listPage(listOf(source), token, call).catch(platformErrorOf);
    if (page instanceof PlatformError) return stoppedBy(page, { rows, token, pages, read });
    rows.push(...page.items);
    pages += 1;
    if (isLast(page, token, pages) || (await isEnough(page.items)))
      return { rows, isOver: true, from: { list_token: null, list_pages: pages }, error: null };
    token = page.next;
  }
  return { rows, isOver: false, from: { list_token: token, list_pages: pages }, error: null };
};

/** Of some videos the platform says no date; then a neighbour is asked. */
const MOST_NEIGHBOURS = 3;

type Split = { readonly fresh: readonly Entry[]; readonly old: readonly Entry[] };

export const isOlder = ({ publishedAt }: Pick<Entry, 'publishedAt'>, newest: Date | null): boolean =>
  newest !== null && publishedAt !== null && new Date(publishedAt) <= newest;

/** Players tell the day: what is of the last known day may be new, and is told rather than lost. */
const isOfOlderDay = ({ publishedAt }: Pick<Entry, 'publishedAt'>, newest: Date | null): boolean =>
  newest !== null && publishedAt !== null && publishedAt.slice(0, 10) < newest.toISOString().slice(0, 10);

/**
 * What is younger than all that was known, of a list that is sorted by date, newest first. Its rows have no dates, so the place where the
 * old begins is searched by halves: some fifteen videos are asked for, however long it is. Throws what asking throws.
 */
export const splitByDate = async (
  { platform }: Pick<Deps, 'platform'>,
  found: readonly Entry[],
  newest: Date | null,
  call: Call,
): Promise<Split> => {
  /** Null where nobody says. */
  const isOldAt = async (from: number, to: number): Promise<boolean | null> => {
    for (const entry of found.slice(from, Math.min(to, from + MOST_NEIGHBOURS))) {
      if (entry.publishedAt !== null) return isOlder(entry, newest);
      const told = await platform.lookUpVideo(entry.id, call);
      if (told?.publishedAt) return isOfOlderDay(told, newest);
    }
    return null;
  };
  let [from, to] = newest === null ? [found.length, found.length] : [0, found.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    // What nobody dates is not told: it might be the whole past.
    if ((await isOldAt(middle, to)) === false) from = middle + 1;
    else to = middle;
  }
  return { fresh: found.slice(0, from), old: found.slice(from) };
};
