import type { ListingContents } from '@tds/contracts';
import { parsePlatformAddress } from '@tds/platform-addresses';
import { LRUCache } from 'lru-cache';
import type { MonotonicClock } from '../redis/index.ts';

const MEMORY_BYTES = 32 * 1024 * 1024;
const ENTRY_OVERHEAD_BYTES = 1_024;
const MAX_READERS = 50_000;
/** Greatest age of the hints which rows are cached. */
const HINTS_KEPT_MS = 5_000;
/** While one caller refreshes the page, the others get the old one. */
const ASKING_MS = 1_000;

/** A page as it was requested. */
export type RequestedPage = {
  readonly keyId: string;
  readonly input: string;
  readonly contents: ListingContents;
  readonly offset: number;
};

/** Identifies the rows of a page for all keys: a listing never changes. */
type ListedPage = {
  readonly source: { readonly kind: string; readonly id: string };
  readonly listed_at: string;
  /** How long this key may read the same listing. */
  readonly freshForMs: number;
};

type WithBody = { readonly body: Buffer };
type Page<A> = { readonly answer: A; askAt: number };

const readerKey = ({ keyId, input, contents, offset }: RequestedPage): string =>
  `${keyId} ${contents} ${offset} ${input}`;

/** The service counts each look-up of a channel by name, so such pages are not kept. */
const isCountedByName = (input: string): boolean => parsePlatformAddress(input)?.kind === 'channel_name';

/** Recently read pages of complete listings. A key gets a page from memory only after the service answered the same page to it, so that the service knows its walk. */
export const createListingMemory = <A extends WithBody>(clock: MonotonicClock) => {
  const pages = new LRUCache<string, Page<A>>({
    maxSize: MEMORY_BYTES,
    sizeCalculation: ({ answer }) => answer.body.length + ENTRY_OVERHEAD_BYTES,
  });
  const readers = new LRUCache<string, { readonly pageKey: string; readonly until: number }>({
    max: MAX_READERS,
  });
  return {
    /** Undefined if the service has to be asked: the key has not read this page, or the hints are old. */
    get(pageRequest: RequestedPage): A | undefined {
      const reader = readers.get(readerKey(pageRequest));
      if (reader === undefined || reader.until <= clock()) return undefined;
      const page = pages.get(reader.pageKey);
      if (page === undefined) return undefined;
      if (page.askAt > clock()) return page.answer;
      page.askAt = clock() + ASKING_MS;
      return undefined;
    },
    keep(pageRequest: RequestedPage, { source, listed_at, freshForMs }: ListedPage, answer: A): void {
      if (freshForMs <= 0 || isCountedByName(pageRequest.input)) return;
      const pageKey = `${source.kind} ${source.id} ${pageRequest.contents} ${pageRequest.offset} ${listed_at}`;
      pages.set(pageKey, { answer, askAt: clock() + HINTS_KEPT_MS });
      readers.set(readerKey(pageRequest), { pageKey, until: clock() + freshForMs });
    },
  };
};
export type ListingMemory<A extends WithBody> = ReturnType<typeof createListingMemory<A>>;
