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

type StoreDeps = Pick<LibraryDeps, 'sql'>;

export const listLibrary = onCommand(transcriptFetcher.listLibrary, ({ sql }: StoreDeps, request) =>
  listEntries(sql, request),
);

export const searchLibrary = onCommand(
  transcriptFetcher.searchLibrary,
  (deps: LibraryDeps, request, { signal }) => search(deps, request, signal),
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
    await makeSearchable(deps.sql, { accountId: request.accountId }, signal);
    return await deps.searches(request.accountId, (limited) => tryQueries(deps, request, limited), signal);
  },
);

export const listMatches = onCommand(transcriptFetcher.listMatches, ({ sql }: StoreDeps, request) =>
  findPage(sql, request),
);

export const listAccountMatches = onCommand(
  transcriptFetcher.listAccountMatches,
  ({ sql }: StoreDeps, request) => findPage(sql, request),
);
