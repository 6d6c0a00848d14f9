import {
  derivedId,
  MAX_WATCHERS_PER_EVENT,
  type MonitorMatch,
  type ReplyOf,
  type RequestOf,
  transcriptFetcher,
  type WordsWatch,
} from '@tds/contracts';
import { crashPoint } from '@tds/messaging';
import { videoMomentUrl } from '@tds/platform-addresses';
import type { Deps } from '../deps.ts';
import { dictionaryOf } from './domain/dictionaries.ts';
import { findMatch } from './domain/library-match.ts';
import { toLexemeQuery } from './domain/library-query.ts';
import { createLexemes } from './domain/library-words.ts';
import { findCandidates, toPassagesOf } from './domain/word-candidates.ts';
import {
  deleteUnmatched,
  findMatching,
  findNewest,
  findPassageLexemes,
  findTranscript,
  findUnmatched,
  insertMatches,
  type MatchedTranscript,
  type NewMatch,
} from './store/word-matches.ts';

type MatchDeps = Pick<Deps, 'sql' | 'db' | 'messaging' | 'stemmer' | 'readQuery'>;
type Passages = MonitorMatch['passages'];

/** The passages of a transcript in which queries are said, by query. The words of most are not in it, which takes no request to find out. */
const findPassages = async (
  { sql, stemmer, readQuery }: Pick<MatchDeps, 'sql' | 'stemmer' | 'readQuery'>,
  { id, language, video }: MatchedTranscript,
  queries: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Passages>> => {
  const dictionary = dictionaryOf(language);
  const known = [...queries].flatMap((query) => {
    const read = readQuery(query);
    return read ? { query, ...read } : [];
  });
  const lexemeOf = await stemmer(dictionary, new Set(known.flatMap(({ words }) => words)));
  const lexemesOf = createLexemes(lexemeOf);
  const passagesOf = toPassagesOf(await findPassageLexemes(sql, id));
  const candidates = known.flatMap(({ query, terms }) => {
    const positions = findCandidates(terms, lexemesOf, passagesOf);
    return positions.length === 0
      ? []
      : { text: query, positions, ...toLexemeQuery(terms, dictionary, lexemeOf) };
  });
  const found = new Map<string, Passages>();
  for (const { n, ...passage } of candidates.length === 0 ? [] : await findMatching(sql, id, candidates)) {
    const { text: query = '', phrases = [] } = candidates[n] ?? {};
    const { start, sentence } = findMatch(passage, phrases);
    const url = videoMomentUrl(video.video_id, Math.floor(start));
    found.set(query, [...(found.get(query) ?? []), { start, text: sentence, url }]);
  }
  return found;
};

/** Emits that a transcript waits for the words of monitors. Returns whether it does. */
export const announceWatchers = async (
  { sql, db, messaging }: Pick<MatchDeps, 'sql' | 'db' | 'messaging'>,
  transcriptId: string,
): Promise<boolean> => {
  const monitorIds = (await findUnmatched(sql, transcriptId)).map(({ monitorId }) => monitorId);
  if (monitorIds.length === 0) return false;
  crashPoint('transcript-indexed');
  await messaging.transaction(db, async (_tx, send) => {
    for (let from = 0; from < monitorIds.length; from += MAX_WATCHERS_PER_EVENT)
      await send.emit(transcriptFetcher.watchedTranscriptIndexed, {
        transcriptId,
        monitorIds: monitorIds.slice(from, from + MAX_WATCHERS_PER_EVENT),
      });
  });
  return true;
};

const toNewMatches = (
  deliveries: Awaited<ReturnType<typeof findUnmatched>>,
  watches: readonly WordsWatch[],
  { id: transcriptId, video }: MatchedTranscript,
  found: ReadonlyMap<string, Passages>,
): { readonly match: NewMatch; readonly watch: WordsWatch }[] => {
  const jobs = new Map(deliveries.map((delivery) => [delivery.monitorId, delivery]));
  return watches.flatMap((watch) => {
    const delivery = jobs.get(watch.monitorId);
    if (delivery?.accountId !== watch.accountId) return [];
    return watch.words.flatMap((query) => {
      const passages = found.get(query);
      const id = derivedId(watch.monitorId, video.video_id, query);
      return passages ? { match: { ...delivery, id, transcriptId, query, passages }, watch } : [];
    });
  });
};

/** Looks for the words of monitors in a transcript that waits for them. Matches, events and the end of the wait are one commit. */
export const matchTranscript = async (
  deps: MatchDeps,
  { transcriptId, monitorIds, watches }: RequestOf<typeof transcriptFetcher.matchWords>,
): Promise<void> => {
  const { sql, db, messaging } = deps;
  const deliveries = await findUnmatched(sql, transcriptId, monitorIds);
  const transcript = deliveries.length === 0 ? null : await findTranscript(sql, transcriptId);
  if (transcript === null) return;
  const queries = new Set(watches.flatMap(({ words }) => words));
  const found = await findPassages(deps, transcript, queries);
  const matches = toNewMatches(deliveries, watches, transcript, found);
  crashPoint('words-found');
  await messaging.transaction(db, async (tx, send) => {
    const saved = await insertMatches(
      tx,
      matches.map(({ match }) => match),
    );
    for (const { match, watch } of matches) {
      const foundAt = saved.get(match.id);
      if (foundAt === undefined) continue;
      const { words: _, ...watcher } = watch;
      const { id, query, passages } = match;
      const { video, language } = transcript;
      const published = { id, query, video, language, passages, found_at: foundAt.toISOString() };
      await send.emit(transcriptFetcher.wordsFound, { ...watcher, match: published });
    }
    await deleteUnmatched(tx, transcriptId, monitorIds);
  });
  crashPoint('matches-saved');
};

/** Looks for words in the newest transcripts of an account, and saves nothing. */
export const tryQueries = async (
  deps: Pick<MatchDeps, 'sql' | 'stemmer' | 'readQuery'>,
  { words, ...selection }: RequestOf<typeof transcriptFetcher.tryWords>,
): Promise<ReplyOf<typeof transcriptFetcher.tryWords>> => {
  const transcripts = await findNewest(deps.sql, selection);
  const matches: ReplyOf<typeof transcriptFetcher.tryWords>['matches'] = [];
  for (const transcript of transcripts) {
    const { video, language } = transcript;
    for (const [query, passages] of await findPassages(deps, transcript, new Set(words)))
      matches.push({ query, video, language, passages });
  }
  return { transcripts: transcripts.length, matches };
};
