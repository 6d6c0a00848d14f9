import type { Sql } from '@tds/base';
import type { MonitorMatch, ReplyOf, RequestOf, transcriptFetcher } from '@tds/contracts';
import { videoMomentUrl } from '@tds/platform-addresses';
import type { LibraryDeps } from './deps.ts';
import { dictionaryOf } from './domain/dictionaries.ts';
import { findMatch } from './domain/library-match.ts';
import { toLexemeQuery } from './domain/library-query.ts';
import { createLexemes } from './domain/library-words.ts';
import { findCandidates, toPassagesOf } from './domain/word-candidates.ts';
import { inTurnOf, isOverTime } from './store/limited-time.ts';
import {
  type Candidate,
  findMatching,
  findNewest,
  findPassageLexemes,
  type MatchedTranscript,
} from './store/word-matches.ts';

/** The passages of a transcript in which queries are said, by query. */
export type Found = ReadonlyMap<string, MonitorMatch['passages']>;
/** Null if that costs more words than `maxCost`. */
type Find = (sql: Sql, queries: ReadonlySet<string>, maxCost?: number) => Promise<Found | null>;

/** Reads a transcript to find these queries, some at a time. The words of most are not in it, which takes no request to find out. */
export const readTranscript = async (
  { stemmer, readQuery }: Pick<LibraryDeps, 'stemmer' | 'readQuery'>,
  reading: Sql,
  { id, language, video }: MatchedTranscript,
  wanted: readonly string[],
): Promise<Find> => {
  const dictionary = dictionaryOf(language);
  const lexemeOf = await stemmer(dictionary, new Set(wanted.flatMap((query) => readQuery(query)?.words ?? [])));
  const lexemesOf = createLexemes(lexemeOf);
  const passagesOf = toPassagesOf(await findPassageLexemes(reading, id));
  return async (sql, queries, maxCost = Number.POSITIVE_INFINITY) => {
    const candidates = new Map<string, Candidate>();
    let total = 0;
    for (const query of queries) {
      const { terms = [] } = readQuery(query) ?? {};
      const { positions, cost } = findCandidates(terms, lexemesOf, passagesOf);
      total += cost;
      if (total > maxCost) return null;
      if (positions.length > 0)
        candidates.set(query, { positions, ...toLexemeQuery(terms, dictionary, lexemeOf) });
    }
    const all = [...candidates];
    const found = new Map<string, MonitorMatch['passages']>();
    for (const { n, ...passage } of all.length === 0
      ? []
      : await findMatching(sql, id, [...candidates.values()])) {
      const [query = '', { phrases = [] } = {}] = all[n] ?? [];
      const { start, sentence, text: words } = findMatch(passage, phrases);
      const url = videoMomentUrl(video.video_id, Math.floor(start));
      found.set(query, [...(found.get(query) ?? []), { start, text: sentence, words, url }]);
    }
    return found;
  };
};

type Tried = ReplyOf<typeof transcriptFetcher.tryWords>;

/**
 * Looks for words in the newest transcripts of an account, as many as can be read before the signal fires, and saves nothing. Resolves to null
 * if the account searches on another instance.
 */
export const tryQueries = (
  deps: Pick<LibraryDeps, 'pool' | 'stemmer' | 'readQuery'>,
  { words, ...selection }: RequestOf<typeof transcriptFetcher.tryWords>,
  signal: AbortSignal,
): Promise<Tried | null> =>
  inTurnOf(deps.pool, selection.accountId, signal, async (sql) => {
    const tried: Tried = { transcripts: 0, matches: [] };
    try {
      for (const transcript of await findNewest(sql, selection)) {
        const { video, language, translated } = transcript;
        const find = await readTranscript(deps, sql, transcript, words);
        for (const [query, passages] of (await find(sql, new Set(words))) ?? [])
          tried.matches.push({ query, video, language, translated, passages });
        tried.transcripts += 1;
      }
    } catch (error) {
      if (tried.transcripts === 0 || !isOverTime(error)) throw error;
    }
    return tried;
  });
