import { transcriptFetcher } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import type { QueryReader } from './domain/query-reader.ts';
import { tryQueries } from './find-words.ts';
import { matchTranscript } from './match-words.ts';
import { listMatches as findPage } from './store/word-matches.ts';

const assertWords = (readQuery: QueryReader, words: readonly string[]): void => {
  const invalid = words.findIndex((query) => readQuery(query) === null);
  if (invalid < 0) return;
  throw serviceError('invalid_words', {
    message: `Query ${invalid + 1} of words needs a word to find, and at most 32 words.`,
  });
};

export const checkWords = onCommand(
  transcriptFetcher.checkWords,
  async ({ readQuery }: Pick<Deps, 'readQuery'>, { words }) => {
    assertWords(readQuery, words);
    return {};
  },
);

export const matchWords = onCommand(transcriptFetcher.matchWords, async (deps: Deps, request, { signal }) => {
  await matchTranscript(deps, request, signal);
  return {};
});

export const tryWords = onCommand(transcriptFetcher.tryWords, async (deps: Deps, request, { signal }) => {
  assertWords(deps.readQuery, request.words);
  return await deps.searches(request.accountId, (limited) => tryQueries(deps, request, limited), signal);
});

export const listMatches = onCommand(
  transcriptFetcher.listMatches,
  async ({ sql }: Pick<Deps, 'sql'>, { limit, offset, ...monitor }) =>
    await findPage(sql, monitor, { limit, offset }),
);
