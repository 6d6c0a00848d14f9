import { createHash, randomUUID } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { Servers } from '@tds/local';
import { withClient } from '@tds/servers';
import { ownerUrl, queryAs, until } from './databases.ts';

const SERVICE = 'transcript-fetcher';
/** Ten minutes of speech: 1,500 words, some 400 of them different, in 9 KB. */
const CAPTIONS = 300;
const WORDS_A_CAPTION = 5;
const CAPTION_MS = 2_000;
const CAPTIONS_A_SENTENCE = 3;
const VOCABULARY = 30_000;
const SYLLABLES = 'a on de fi ra ho in ka lo mu ne pa ro ti tu ve'.split(' ');
const ENDINGS = ['', 's', 'ed', 'ing', 'er', 'ly', '', ''];
/** Frequent words have no endings. */
const PLAIN = 200;
/** Words that a talk repeats. */
const TOPIC = 260;
const OF_TOPIC = 0.75;

/** The word of a rank, as short as it is frequent. */
const buildWord = (rank: number): string => {
  let word = '';
  for (let remaining = rank; remaining > 0 || word === ''; remaining = Math.floor(remaining / SYLLABLES.length))
    word += SYLLABLES[remaining % SYLLABLES.length];
  return rank < PLAIN ? word : word + (ENDINGS[rank % ENDINGS.length] ?? '');
};

/** By the law of Zipf: each rank is as frequent as in speech. */
export const drawWord = (rarerThan = 0): string =>
  buildWord(rarerThan + Math.floor((VOCABULARY - rarerThan) ** Math.random()) - 1);

const drawCaption = (topic: readonly string[], index: number): string => {
  const draw = () =>
    Math.random() < OF_TOPIC ? (topic[Math.floor(TOPIC * Math.random() ** 2)] ?? '') : drawWord();
  const end = index % CAPTIONS_A_SENTENCE === CAPTIONS_A_SENTENCE - 1 ? '.' : '';
  return Array.from({ length: WORDS_A_CAPTION }, draw).join(' ') + end;
};

const drawCues = (captions: number) => {
  const topic = Array.from({ length: TOPIC }, () => drawWord());
  return Array.from({ length: captions }, (_, index) => ({
    ...{ startMs: index * CAPTION_MS, durationMs: CAPTION_MS },
    text: drawCaption(topic, index),
  }));
};

const putCues = async (
  { objects }: Servers,
  all: readonly (readonly [key: string, data: Buffer])[],
): Promise<void> =>
  withClient(objects.ownerUrl, async (client) => {
    for (const [key, data] of all) {
      const sha256 = createHash('sha256').update(data).digest('hex');
      await client.query('INSERT INTO objects (key, bytes, sha256) VALUES ($1, $2, $3)', [
        key,
        data.length,
        sha256,
      ]);
      await client.query('INSERT INTO object_chunks (key, seq, data) VALUES ($1, 0, $2)', [key, data]);
    }
  });

/** Stores transcripts, of ten minutes by default, that an account has received. The fetcher indexes them within a second. */
export const receiveTranscripts = async (
  servers: Servers,
  accountId: string,
  count: number,
  words = CAPTIONS * WORDS_A_CAPTION,
): Promise<void> => {
  const cues = Array.from({ length: count }, () => {
    return [`cues/${randomUUID()}`, deflateRawSync(JSON.stringify(drawCues(words / WORDS_A_CAPTION)))] as const;
  });
  await putCues(servers, cues);
  await queryAs(
    servers,
    SERVICE,
    `WITH made AS (
       INSERT INTO transcripts (id, video_id, language_code, kind, translated, object_key, cached_at, video, strategy)
       SELECT gen_random_uuid(), left(md5(key), 11), 'en', 'asr', false, key, now(), '{"title": "A title"}', 'android'
       FROM unnest($2::text[]) AS key RETURNING id
     ), waiting AS (INSERT INTO unindexed_transcripts SELECT id FROM made), searched AS (INSERT INTO searched_libraries VALUES ($1) ON CONFLICT DO NOTHING)
     INSERT INTO library_entries (account_id, transcript_id, language_code, is_read) SELECT $1, id, 'en', true FROM made`,
    [accountId, cues.map(([key]) => key)],
  );
};

const INDEXED = { everyMs: 20, withinMs: 300_000 };

export const untilIndexed = (servers: Servers): Promise<void> =>
  until(async () => {
    const [row] = await queryAs(servers, SERVICE, 'SELECT FROM unindexed_transcripts WHERE due_at < now()');
    return row ? 'not all transcripts were indexed' : null;
  }, INDEXED);

/** Copies the indexed transcripts of an account until it has `count`: words stay as frequent as they were. */
export const multiplyLibrary = (servers: Servers, accountId: string, count: number): Promise<void> =>
  withClient(ownerUrl(servers, SERVICE), async (client) => {
    await client.query('SET statement_timeout = 0');
    await client.query(
      `CREATE TEMP TABLE copies AS SELECT e.transcript_id AS source, gen_random_uuid() AS id, n
       FROM (SELECT transcript_id, count(*) OVER () AS all_of FROM library_entries WHERE account_id = $1) AS e,
         LATERAL generate_series(1, ($2 - all_of) / all_of) AS n`,
      [accountId, count],
    );
    for (const text of [
      `INSERT INTO transcripts (id, video_id, language_code, kind, translated, object_key, cached_at, video, strategy)
         SELECT c.id, left(md5(c.id::text), 11), t.language_code, t.kind, t.translated, t.object_key,
         t.cached_at, t.video, t.strategy FROM copies AS c JOIN transcripts AS t ON t.id = c.source`,
      `INSERT INTO passages SELECT c.id, p.position, p.start_ms, p.end_ms, p.text, p.captions, p.words
       FROM copies AS c JOIN passages AS p ON p.transcript_id = c.source`,
      `INSERT INTO library_entries (account_id, transcript_id, language_code, received_at, is_read, dictionary, passage_count, words, index_rules)
       SELECT e.account_id, c.id, e.language_code, e.received_at - c.n * interval '1 minute', true, e.dictionary, e.passage_count, e.words, e.index_rules
       FROM copies AS c JOIN library_entries AS e ON e.transcript_id = c.source`,
    ])
      await client.query(text);
    for (const table of ['library_entries', 'passages', 'transcripts'])
      await client.query(`VACUUM (ANALYZE) ${table}`);
  });
