import { type ListingContents, parsePlatformAddress } from '@tds/contracts';
import type { routes } from '@tds/http-api';
import { LRUCache } from 'lru-cache';
import type { MonotonicClock } from '../admission/redis-guard.ts';
import type { AnswerTo } from '../routes/route-answer.ts';

const MEMORY_BYTES = 32 * 1024 * 1024;
const ENTRY_OVERHEAD_BYTES = 1_024;
const MOST_READERS = 50_000;
/** Which rows are cached may be as old as this. */
const HINTS_KEPT_MS = 5_000;
/** While one caller asks anew, the others are given what there is. */
const ASKING_MS = 1_000;

/** A page of a listing as it was asked for. */
export type AskedPage = {
  readonly keyId: string;
  readonly input: string;
  readonly contents: ListingContents;
  readonly offset: number;
};

/** What identifies the rows of a page for everybody: the same listing never changes. */
export type ListedPage = {
  readonly source: { readonly kind: string; readonly id: string };
  readonly listed_at: string;
  /** For how long this key may be answered from the same listing. */
  readonly freshForMs: number;
};

type Answered = { readonly body: Buffer };
/** The answer that the route gives, as it is written. */
export type HeldPage = AnswerTo<typeof routes.listVideos> & Answered;
type Page<A> = { readonly answer: A; askAt: number };

/** Pages of complete listings that were read lately. */
export type ListingMemory<A extends Answered = HeldPage> = {
  /** Undefined where the service has to be asked: by a key that has not read this page, or for newer hints. */
  get(asked: AskedPage): A | undefined;
  keep(asked: AskedPage, listed: ListedPage, answer: A): void;
};

const readerKey = ({ keyId, input, contents, offset }: AskedPage): string =>
  `${keyId} ${contents} ${offset} ${input}`;

/** Names of channels are counted by the service each time that they are used. */
const isCountedByName = (input: string): boolean => parsePlatformAddress(input)?.kind === 'channel_name';

/**
 * A key is answered from here only after the service has answered it the same page of the same listing: so the walk that it is
 * on is known there.
 */
export const createListingMemory = <A extends Answered>(clock: MonotonicClock): ListingMemory<A> => {
  const pages = new LRUCache<string, Page<A>>({
    maxSize: MEMORY_BYTES,
    sizeCalculation: ({ answer }) => answer.body.length + ENTRY_OVERHEAD_BYTES,
  });
  const readers = new LRUCache<string, { readonly pageKey: string; readonly until: number }>({
    max: MOST_READERS,
  });
  return {
    get(asked) {
      const reader = readers.get(readerKey(asked));
      if (reader === undefined || reader.until <= clock()) return undefined;
      const page = pages.get(reader.pageKey);
      if (page === undefined) return undefined;
      if (page.askAt > clock()) return page.answer;
      page.askAt = clock() + ASKING_MS;
      return undefined;
    },
    keep(asked, { source, listed_at, freshForMs }, answer) {
      if (freshForMs <= 0 || isCountedByName(asked.input)) return;
      const pageKey = `${source.kind} ${source.id} ${asked.contents} ${asked.offset} ${listed_at}`;
      pages.set(pageKey, { answer, askAt: clock() + HINTS_KEPT_MS });
      readers.set(readerKey(asked), { pageKey, until: clock() + freshForMs });
    },
  };
};
