import type { Sql } from '@tds/base';
import {
  derivedId,
  MAX_WATCHERS_PER_EVENT,
  type RequestOf,
  transcriptFetcher,
  type WordsWatch,
} from '@tds/contracts';
import { crashPoint, type Sender } from '@tds/messaging';
import type { Surface } from '../surface.ts';
import type { LibraryDeps } from './deps.ts';
import { type Found, readTranscript } from './find-words.ts';
import { inLimitedTime, isOverTime } from './store/limited-time.ts';
import {
  countTry,
  deleteUnmatched,
  findTranscript,
  findUnmatched,
  insertMatches,
  type MatchedTranscript,
  type NewMatch,
} from './store/word-matches.ts';

type MatchDeps = Pick<LibraryDeps, 'sql' | 'pool' | 'db' | 'messaging' | 'stemmer' | 'readQuery' | 'log'>;

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

/** What a monitor found in a transcript. */
type Matched = { readonly watch: WordsWatch; readonly matches: readonly NewMatch[] };

const toMatched = (
  deliveries: Awaited<ReturnType<typeof findUnmatched>>,
  watches: readonly WordsWatch[],
  { id: transcriptId, video }: MatchedTranscript,
  found: Found,
): Matched[] => {
  const jobs = new Map(deliveries.map((delivery) => [delivery.monitorId, delivery]));
  return watches.flatMap((watch) => {
    const delivery = jobs.get(watch.monitorId);
    if (delivery?.accountId !== watch.accountId) return [];
    const matches = watch.words.flatMap((query) => {
      const passages = found.get(query);
      const id = derivedId(watch.monitorId, video.video_id, query);
      return passages ? { ...delivery, id, transcriptId, query, passages } : [];
    });
    return { watch, matches };
  });
};

/** Emits what is new of it, as saved: a match for programs, a video for people. */
const emitMatched = async (
  send: Sender<Surface>,
  { watch, matches }: Matched,
  { video, language, translated }: MatchedTranscript,
  saved: ReadonlyMap<string, Date>,
) => {
  const { words: _, mail, weekly, personId, ...watcher } = watch;
  const [first, ...others] = matches.flatMap(({ id, query, passages }) => {
    const foundAt = saved.get(id)?.toISOString();
    return foundAt ? { id, query, video, language, translated, passages, found_at: foundAt } : [];
  });
  if (first === undefined) return;
  for (const match of [first, ...others])
    await send.emit(transcriptFetcher.wordsFound, { ...watcher, mail: 'none', match });
  const { accountId, monitorId, title } = watcher;
  const also = others.map(({ query, passages }) => ({ query, passages }));
  await send.emit(transcriptFetcher.videoMatched, {
    ...{ accountId, monitorId, title, mail, weekly, personId, match: first, also },
  });
};

type Matching = MatchDeps & {
  readonly transcript: MatchedTranscript;
  readonly deliveries: Awaited<ReturnType<typeof findUnmatched>>;
  readonly find: Awaited<ReturnType<typeof readTranscript>>;
};

const idsOf = (watches: readonly WordsWatch[]): string[] => watches.map(({ monitorId }) => monitorId);

/** Matches, events and the end of the wait are one commit. */
const saveMatches = async (
  { db, messaging, transcript, deliveries }: Matching,
  watches: readonly WordsWatch[],
  found: Found,
): Promise<void> => {
  const matched = toMatched(deliveries, watches, transcript, found);
  crashPoint('words-found');
  await messaging.transaction(db, async (tx, send) => {
    const saved = await insertMatches(
      tx,
      matched.flatMap(({ matches }) => matches),
    );
    for (const one of matched) await emitMatched(send, one, transcript, saved);
    await deleteUnmatched(tx, transcript.id, idsOf(watches));
  });
  crashPoint('matches-saved');
};

/** Null for work that took its whole time. */
const inTime = <Result>({ pool }: MatchDeps, signal: AbortSignal, work: (sql: Sql) => Promise<Result>) =>
  inLimitedTime(pool, signal, work).catch((error: unknown) => {
    if (signal.aborted || !isOverTime(error)) throw error;
    return null;
  });

/** Monitors whose words took too long wait for the next announcement, and after some tries for none. */
const postpone = async ({ sql, log }: MatchDeps, transcriptId: string, monitorIds: readonly string[]) => {
  const { length: leftOut } = await countTry(sql, transcriptId, monitorIds);
  log.warn('words of monitors took too long to find', { transcriptId, monitorIds, leftOut });
};

/** Together they take some hundredths of a second, whatever the captions are. */
const MAX_COST = 200_000;

/** In halves, if it costs much or takes too long: no words wait long for those of others, or with them in vain. */
const matchWatches = async (
  matching: Matching,
  watches: readonly WordsWatch[],
  signal: AbortSignal,
): Promise<void> => {
  const queries = new Set(watches.flatMap(({ words }) => words));
  const isOne = watches.length < 2;
  const find = (sql: Sql) => matching.find(sql, queries, isOne ? undefined : MAX_COST);
  const found = await inTime(matching, signal, find);
  if (found) return await saveMatches(matching, watches, found);
  if (isOne) return await postpone(matching, matching.transcript.id, idsOf(watches));
  const half = Math.ceil(watches.length / 2);
  await matchWatches(matching, watches.slice(0, half), signal);
  await matchWatches(matching, watches.slice(half), signal);
};

/** Looks for the words of monitors in a transcript that waits for them. What is saved when the signal fires is not looked for again. */
export const matchTranscript = async (
  deps: MatchDeps,
  { transcriptId, monitorIds, watches }: RequestOf<typeof transcriptFetcher.matchWords>,
  signal: AbortSignal,
): Promise<void> => {
  const { sql, db } = deps;
  const idle = monitorIds.filter((id) => !watches.some(({ monitorId }) => monitorId === id));
  await deleteUnmatched(db, transcriptId, idle);
  const deliveries = await findUnmatched(sql, transcriptId, monitorIds);
  const transcript = deliveries.length === 0 ? null : await findTranscript(sql, transcriptId);
  if (transcript === null) return;
  const waiting = new Set(deliveries.map(({ monitorId }) => monitorId));
  const byAccount = watches
    .filter(({ monitorId }) => waiting.has(monitorId))
    .sort((a, b) => (a.accountId < b.accountId ? -1 : 1));
  const words = byAccount.flatMap((watch) => watch.words);
  const find = await inTime(deps, signal, (limited) => readTranscript(deps, limited, transcript, words));
  if (find === null) return await postpone(deps, transcriptId, monitorIds);
  await matchWatches({ ...deps, transcript, deliveries, find }, byAccount, signal);
};
