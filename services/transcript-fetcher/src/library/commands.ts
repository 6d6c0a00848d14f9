import { randomUUID } from 'node:crypto';
import { transcriptFetcher } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { type ReadDeps, restoreTranscript } from '../reads/index.ts';
import type { LibraryDeps } from './deps.ts';
import type { QueryReader } from './domain/query-reader.ts';
import { tryQueries } from './find-words.ts';
import { matchTranscript } from './match-words.ts';
import { makeSearchable, searchLibrary as search } from './search-library.ts';
import { listEntries, saveReads } from './store/library.ts';
import { listMatches as findPage } from './store/word-matches.ts';

export const listLibrary = onCommand(
  transcriptFetcher.listLibrary,
  async ({ sql }: LibraryDeps, { limit, offset, ...selection }) =>
    await listEntries(sql, selection, { limit, offset }),
);

export const searchLibrary = onCommand(
  transcriptFetcher.searchLibrary,
  async (deps: LibraryDeps, request, { signal }) => await search(deps, request, signal),
);

const freeRead = { keyId: null, fallback: true, format: 'json' } as const;

export const recordReads = onCommand(transcriptFetcher.recordReads, async (deps: ReadDeps, { reads }) => {
  for (const { accountId, videoId, language } of await saveReads(deps.sql, reads)) {
    await restoreTranscript(deps, { ...freeRead, accountId, videoId, language, requestId: randomUUID() });
  }
  return {};
});

const assertWords = (readQuery: QueryReader, words: readonly string[]): void => {
  const invalid = words.findIndex((query) => readQuery(query) === null);
  if (invalid < 0) return;
  throw serviceError('invalid_words', {
    message: `Query ${invalid + 1} of words (${words[invalid]}) needs a word to find, and at most 32 words.`,
  });
};

export const checkWords = onCommand(
  transcriptFetcher.checkWords,
  async ({ readQuery }: Pick<LibraryDeps, 'readQuery'>, { words }) => {
    assertWords(readQuery, words);
    return {};
  },
);

export const matchWords = onCommand(
  transcriptFetcher.matchWords,
  async (deps: LibraryDeps, request, { signal }) => {
    await matchTranscript(deps, request, signal);
    return {};
  },
);

export const tryWords = onCommand(
  transcriptFetcher.tryWords,
  async (deps: LibraryDeps, request, { signal }) => {
    assertWords(deps.readQuery, request.words);
    await makeSearchable(deps.sql, request.accountId, signal);
    return await deps.searches(request.accountId, (limited) => tryQueries(deps, request, limited), signal);
  },
);

export const listMatches = onCommand(
  transcriptFetcher.listMatches,
  async ({ sql }: Pick<LibraryDeps, 'sql'>, { limit, offset, ...monitor }) =>
    await findPage(sql, monitor, { limit, offset }),
);

export const listAccountMatches = onCommand(
  transcriptFetcher.listAccountMatches,
  async ({ sql }: Pick<LibraryDeps, 'sql'>, { limit, offset, ...filter }) =>
    await findPage(sql, filter, { limit, offset }),
);
