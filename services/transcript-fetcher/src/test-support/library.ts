import { randomUUID } from 'node:crypto';
import type { PayloadOf, RequestOf, transcriptFetcher, WordsWatch } from '@tds/contracts';
import type { Objects } from '@tds/objects';
import { createQueryReader } from '../library/domain/query-reader.ts';
import { tryQueries } from '../library/find-words.ts';
import { type IndexDeps, indexReceived } from '../library/index-library.ts';
import { matchTranscript } from '../library/match-words.ts';
import { createSearches, searchLibrary } from '../library/search-library.ts';
import { splitOnLoop } from '../library/split-cues.ts';
import { createStemmer } from '../library/stemmer.ts';
import type { Page } from '../library/store/library.ts';
import { listMatches, saveWatchedJob } from '../library/store/word-matches.ts';
import { packCues } from '../tracks/make-track.ts';
import { freshVideo, openTables } from './tables.ts';

const TIMEOUT_MS = 60_000;

type TranscriptOptions = {
  readonly languageCode?: string;
  readonly translated?: boolean;
  readonly videoId?: string;
  readonly jobId?: string | null;
};
type Request = RequestOf<typeof transcriptFetcher.searchLibrary>;

type Sent = { readonly name: string; readonly payload: unknown };

/** Transactions of the service, and the events that they have committed. */
const recordEvents = () => {
  const events: Sent[] = [];
  const transaction: IndexDeps['messaging']['transaction'] = async (client, work) => {
    const sent: Sent[] = [];
    const emit = async ({ name }: { name: string }, payload: unknown) => void sent.push({ name, payload });
    const result = await client.$transaction((tx) => work(tx, { emit } as never));
    events.push(...sent);
    return result;
  };
  return { events, messaging: { transaction } as IndexDeps['messaging'] };
};

/** Libraries on the service's tables, with cues in memory. */
export const openLibrary = async () => {
  const tables = await openTables();
  const { pool, sql, query, db } = tables;
  const { events, messaging } = recordEvents();
  const cues = new Map<string, Buffer>();
  const objects = { getBytes: async (key: string) => cues.get(key) ?? null } as unknown as Objects;
  const silent = { warn: () => {}, error: () => {} } as unknown as IndexDeps['log'];
  const deps: IndexDeps = {
    sql,
    pool,
    db,
    messaging,
    objects,
    splitCues: async (input) => splitOnLoop(input),
    stemmer: createStemmer(sql),
    log: silent,
  };

  /** A transcript of captions, ten seconds each. */
  const addTranscript = async (
    texts: readonly string[],
    { languageCode = 'en', translated = false, ...options }: TranscriptOptions = {},
  ) => {
    const captions = texts.map((text, index) => ({ startMs: index * 10_000, durationMs: 9_000, text }));
    const packed = await packCues(captions);
    cues.set(packed.key, packed.data);
    const { videoId = freshVideo() } = options;
    const id = await tables.add.transcript({
      ...{ video_id: videoId, language_code: languageCode, object_key: packed.key, translated },
      kind: 'asr',
    });
    return { id, videoId };
  };
  const receiveUnsearched = async (
    accountId: string,
    transcriptId: string,
    jobId: string | null = null,
  ): Promise<void> => {
    const given = [{ account_id: accountId, transcript_id: transcriptId, job_id: jobId }];
    await query('SELECT save_received($1)', [JSON.stringify(given)]);
  };
  /** By an account that has searched its library before. */
  const receive: typeof receiveUnsearched = async (accountId, ...received) => {
    await query('INSERT INTO searched_libraries VALUES ($1) ON CONFLICT DO NOTHING', [accountId]);
    await receiveUnsearched(accountId, ...received);
  };
  /** By an instance whose parts may be others. */
  const index = (overrides: Partial<IndexDeps> = {}, signal = AbortSignal.timeout(TIMEOUT_MS)) =>
    indexReceived({ ...deps, ...overrides }, signal);
  const matchDeps = { ...deps, readQuery: createQueryReader() };
  const searches = createSearches();
  return {
    ...tables,
    cues,
    receive,
    receiveUnsearched,
    addTranscript,
    index,
    /** A transcript of an account, indexed. */
    async addIndexed(accountId: string, texts: readonly string[], options: TranscriptOptions = {}) {
      const transcript = await addTranscript(texts, options);
      await receive(accountId, transcript.id, options.jobId ?? null);
      await index();
      return transcript;
    },
    search: (accountId: string, q: string, overrides: Partial<Request> = {}) =>
      searchLibrary(
        { sql, pool, searches },
        { accountId, q, limit: 50, offset: 0, ...overrides },
        AbortSignal.timeout(TIMEOUT_MS),
      ),
    matchDeps,
    /** What was emitted about a transcript, or about the matches of a monitor. */
    announced: (transcriptId: string) =>
      events
        .filter(({ name }) => name === 'watchedTranscriptIndexed')
        .map(({ payload }) => payload as PayloadOf<typeof transcriptFetcher.watchedTranscriptIndexed>)
        .filter((payload) => payload.transcriptId === transcriptId),
    foundFor: (monitorId: string) =>
      events
        .filter(({ name }) => name === 'wordsFound')
        .map(({ payload }) => payload as PayloadOf<typeof transcriptFetcher.wordsFound>)
        .filter((payload) => payload.monitorId === monitorId),
    /** What its holder is mailed. */
    mailedFor: (monitorId: string) =>
      events
        .filter(({ name }) => name === 'videoMatched')
        .map(({ payload }) => payload as PayloadOf<typeof transcriptFetcher.videoMatched>)
        .filter((payload) => payload.monitorId === monitorId),
    /** A monitor with words, and a job of it. */
    async addWatch(words: readonly string[], fields: Partial<WordsWatch> = {}) {
      const watch: WordsWatch = {
        ...{
          accountId: randomUUID(),
          monitorId: randomUUID().replaceAll('-', ''),
          channel: null,
          playlist: 'PL1',
        },
        ...{
          title: 'A source',
          webhookUrl: null,
          webhookKeyId: null,
          mail: 'none',
          words: [...words],
          ...fields,
        },
      };
      const jobId = randomUUID();
      await saveWatchedJob(sql, { jobId, accountId: watch.accountId, monitorId: watch.monitorId });
      return { ...watch, jobId, watch };
    },
    match: (
      transcriptId: string,
      watches: readonly WordsWatch[],
      monitorIds = watches.map((each) => each.monitorId),
    ) =>
      matchTranscript(
        matchDeps,
        { transcriptId, monitorIds, watches: [...watches] },
        AbortSignal.timeout(TIMEOUT_MS),
      ),
    tryWords: (accountId: string, words: readonly string[], fields: object = {}) =>
      searches(
        accountId,
        (limited) =>
          tryQueries(
            matchDeps,
            { accountId, words: [...words], channelId: null, monitorId: null, ...fields },
            limited,
          ),
        AbortSignal.timeout(TIMEOUT_MS),
      ),
    matches: (accountId: string, monitorId?: string, page: Page = { limit: 100, offset: 0 }) =>
      listMatches(sql, { accountId, monitorId, ...page }),
    waiting: (transcriptId: string) =>
      query<{ monitor_id: string }>('SELECT monitor_id FROM unmatched_deliveries WHERE transcript_id = $1', [
        transcriptId,
      ]),
    entries: (accountId: string) =>
      query<{ transcript_id: string; is_read: boolean; is_indexed: boolean }>(
        'SELECT transcript_id, is_read, words IS NOT NULL AS is_indexed FROM library_entries WHERE account_id = $1',
        [accountId],
      ),
  };
};

export type TestLibrary = Awaited<ReturnType<typeof openLibrary>>;

export const newAccount = (): string => randomUUID();
