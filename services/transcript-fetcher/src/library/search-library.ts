import { setTimeout as pause } from 'node:timers/promises';
import { createBackoff, createSemaphore, type Sql } from '@tds/base';
import type { RequestOf, transcriptFetcher } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { ConnectionPool } from '../store/database.ts';
import { dictionaries, dictionaryOf } from './domain/dictionaries.ts';
import { parseQuery, toLexemeQuery, wordsIn } from './domain/library-query.ts';
import { findLexemes } from './store/lexemes.ts';
import { type FoundPassages, findPassages, isOverTime } from './store/library-search.ts';

/** Searches of this instance at once, so that they leave most connections to reads. */
const MAX_CONCURRENT_SEARCHES = 3;
/** Another search of the account, on another instance, takes some hundredths of a second. */
const POLL_MS = 100;
const TOO_LONG = 'The last search of this account took too long. Retry after the seconds of Retry-After.';
/** After a search that took too long, doubled by each further one until there was none for a while. */
const PAUSE = { firstMs: 2_000, maxMs: 64_000, random: () => 1 };
const BACKOFF_RESET_MS = 600_000;
const MAX_ACCOUNTS = 10_000;

type SearchRequest = RequestOf<typeof transcriptFetcher.searchLibrary>;

/** Runs one search of an account at a time: none waits for several of another. Throws `search_in_progress`. */
export const createSearches = (now: () => number = Date.now) => {
  const places = createSemaphore(MAX_CONCURRENT_SEARCHES);
  const newAccount = () => ({ turn: createSemaphore(1), pause: createBackoff(PAUSE), pausedUntil: 0 });
  const accounts = new Map<string, ReturnType<typeof newAccount>>();
  return async <Result>(accountId: string, search: () => Promise<Result | null>, signal: AbortSignal) => {
    if (accounts.size > MAX_ACCOUNTS) accounts.clear();
    const account = accounts.get(accountId) ?? newAccount();
    accounts.set(accountId, account);
    const searchOnce = async () => {
      signal.throwIfAborted();
      const retryAfterSeconds = Math.ceil((account.pausedUntil - now()) / 1_000);
      if (retryAfterSeconds > 0)
        throw serviceError('search_in_progress', { message: TOO_LONG, retryAfterSeconds });
      try {
        return await search();
      } catch (error) {
        if (!isOverTime(error)) throw error;
        if (now() - account.pausedUntil > BACKOFF_RESET_MS) account.pause.reset();
        account.pausedUntil = now() + account.pause.nextMs();
        throw error;
      }
    };
    return await account.turn.runInTurn(async (): Promise<Result> => {
      for (;;) {
        const result = await places.runInTurn(searchOnce);
        if (result !== null) return result;
        await pause(POLL_MS, undefined, { signal });
      }
    }, signal);
  };
};

/** Finds passages with all words of a query, in the languages of the account's transcripts. */
export const searchLibrary = async (
  { sql, pool, searches }: { sql: Sql; pool: ConnectionPool; searches: ReturnType<typeof createSearches> },
  { q, limit, offset, ...selection }: SearchRequest,
  signal: AbortSignal,
): Promise<FoundPassages> => {
  const terms = parseQuery(q);
  const search = async () => {
    const dictionaryNames =
      selection.language === undefined ? dictionaries : [dictionaryOf(selection.language)];
    const lexemes = await findLexemes(sql, dictionaryNames, wordsIn(terms));
    const queries = dictionaryNames.map((dictionary) =>
      toLexemeQuery(terms, dictionary, (word) => lexemes.get(dictionary)?.get(word) ?? word),
    );
    return await findPassages(pool, selection, queries, { limit, offset });
  };
  return await searches(selection.accountId, search, signal);
};
