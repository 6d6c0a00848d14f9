import { setTimeout as delay } from 'node:timers/promises';
import { createBackoff, createDeadline, createSemaphore, type Sql } from '@tds/base';
import type { LibraryIndex, RequestOf, transcriptFetcher } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { ConnectionPool } from '../store/database.ts';
import { dictionaries, dictionaryOf } from './domain/dictionaries.ts';
import { parseQuery, toLexemeQuery, wordsIn } from './domain/library-query.ts';
import { findLexemes } from './store/lexemes.ts';
import type { LibrarySelection } from './store/library.ts';
import { countIndexed, queueUnsearchable } from './store/library-index.ts';
import { type FoundPassages, findPassages } from './store/library-search.ts';
import { isOverTime, TIME_LIMIT_MS } from './store/limited-time.ts';
import { MAX_SEARCHED, queueSearched } from './store/outdated-entries.ts';

/** Searches of this instance at once, so that they leave most connections to reads. */
const MAX_CONCURRENT_SEARCHES = 3;
/** An account leaves the last place to others for so many times as long as it has held one. */
const REST_TIMES = 10;
/** Another search of the account, on another instance, takes some hundredths of a second. */
const POLL_MS = 100;
const TOO_LONG = 'The last search of this account took too long. Retry after the seconds of Retry-After.';
/** After a search that took too long, doubled by each further one until there was none for a while. */
const PAUSE = { firstMs: 2_000, maxMs: 64_000, random: () => 1 };
const BACKOFF_RESET_MS = 600_000;
const MAX_ACCOUNTS = 10_000;

type SearchRequest = RequestOf<typeof transcriptFetcher.searchLibrary>;
/** Resolves to null if the account searches on another instance. Its signal has a deadline. */
type Search<Result> = (signal: AbortSignal) => Promise<Result | null>;

/** Runs one search of an account at a time, for a limited time: none waits for several of another. Throws `search_in_progress`. */
export const createSearches = (now: () => number = Date.now) => {
  const places = createSemaphore(MAX_CONCURRENT_SEARCHES);
  const sharedPlaces = createSemaphore(MAX_CONCURRENT_SEARCHES - 1);
  const newAccount = () => {
    return { turn: createSemaphore(1), pause: createBackoff(PAUSE), pausedUntil: 0, restsUntil: 0 };
  };
  type Account = ReturnType<typeof newAccount>;
  const accounts = new Map<string, Account>();
  const searchOnce = async <Result>(account: Account, search: Search<Result>, signal: AbortSignal) => {
    using limit = createDeadline(TIME_LIMIT_MS, signal);
    const begunAt = now();
    let isLate = false;
    try {
      return await search(limit.signal);
    } catch (error) {
      isLate = isOverTime(error);
      throw error;
    } finally {
      account.restsUntil = now() + (now() - begunAt) * REST_TIMES;
      if (isLate || limit.hasPassed()) {
        if (now() - account.pausedUntil > BACKOFF_RESET_MS) account.pause.reset();
        account.pausedUntil = now() + account.pause.nextMs();
      }
    }
  };
  const searchInPlace = <Result>(account: Account, search: Search<Result>, signal: AbortSignal) => {
    const retryAfterSeconds = Math.ceil((account.pausedUntil - now()) / 1_000);
    if (retryAfterSeconds > 0)
      throw serviceError('search_in_progress', { message: TOO_LONG, retryAfterSeconds });
    const run = () => places.runInTurn(() => searchOnce(account, search, signal), signal);
    return now() < account.restsUntil ? sharedPlaces.runInTurn(run, signal) : run();
  };
  return async <Result>(accountId: string, search: Search<Result>, signal: AbortSignal) => {
    if (accounts.size > MAX_ACCOUNTS) accounts.clear();
    const account = accounts.get(accountId) ?? newAccount();
    accounts.set(accountId, account);
    return await account.turn.runInTurn(async (): Promise<Result> => {
      for (;;) {
        signal.throwIfAborted();
        const result = await searchInPlace(account, search, signal);
        if (result !== null) return result;
        await delay(POLL_MS, undefined, { signal });
      }
    }, signal);
  };
};

export type Searches = ReturnType<typeof createSearches>;

/** A search waits so long for what was received before it and is not indexed yet. */
const INDEX_WAIT_MS = 3_000;

/**
 * Lets a library be indexed that nobody has searched before, or that was indexed by earlier rules, and waits for it a while. Resolves to how much
 * of the chosen part can be searched by now.
 */
export const makeSearchable = async (
  sql: Sql,
  selection: LibrarySelection,
  signal: AbortSignal,
): Promise<LibraryIndex> => {
  using limit = createDeadline(INDEX_WAIT_MS, signal);
  await queueUnsearchable(sql, selection.accountId);
  let { outdated, ...index } = await countIndexed(sql, selection);
  const { transcripts } = index;
  if (outdated > 0) {
    await queueSearched(sql, selection);
    ({ outdated, ...index } = await countIndexed(sql, selection));
  }
  // Of many the answer has what it finds by the rules of before.
  const awaited = () => transcripts - index.indexed - (outdated > MAX_SEARCHED ? outdated : 0);
  while (index.is_growing && awaited() > 0 && !limit.hasPassed()) {
    await delay(POLL_MS, undefined, { signal });
    ({ outdated, ...index } = await countIndexed(sql, selection));
  }
  return index;
};

type Searched = FoundPassages & { readonly index: LibraryIndex };

/** Finds passages with all words of a query, in the languages of the account's transcripts. */
export const searchLibrary = async (
  { sql, pool, searches }: { sql: Sql; pool: ConnectionPool; searches: Searches },
  { q, limit, offset, after, ...selection }: SearchRequest,
  signal: AbortSignal,
): Promise<Searched> => {
  const terms = parseQuery(q);
  const search = async (limited: AbortSignal) => {
    const dictionaryNames =
      selection.language === undefined ? dictionaries : [dictionaryOf(selection.language)];
    const lexemes = await findLexemes(sql, dictionaryNames, wordsIn(terms));
    const queries = dictionaryNames.map((dictionary) =>
      toLexemeQuery(terms, dictionary, (word) => lexemes.get(dictionary)?.get(word) ?? word),
    );
    return await findPassages(pool, selection, queries, { limit, offset, after }, limited);
  };
  const index = await makeSearchable(sql, selection, signal);
  const found = await searches(selection.accountId, search, signal);
  return { ...found, is_complete: found.is_complete && index.indexed === index.transcripts, index };
};
