import { type Call, PlatformError } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { listOf, type Source } from '../domain/source.ts';
import type { Walk } from '../domain/walk.ts';
import type { Entry } from '../store/videos.ts';

/** In one look: some hundred videos. What is left is read by the next one. */
const MOST_PAGES = 8;
/** The platform lists 20,000 videos at most, 100 a page: whoever shows more pages shows the same ones again and again. */
const MOST_PAGES_OF_A_LIST = 400;
/** No page is begun later than this, so that a slow platform holds up no lease. */
const WALK_MS = 10_000;

export type Walked = {
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
