import { existsSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proven } from '@tds/test-kit';
import { asCaptions, hostileTexts, ordinaryText } from '@tds/transcript-format/testing';
import { transcript } from '../test-support/cached.ts';
import { newAccount, openLibrary, type TestLibrary } from '../test-support/library.ts';
import { toCaptionBody } from '../test-support/track-files.ts';
import { createTrackFiles } from '../tracks/track-files.ts';
import { createSplitCues } from './split-cues.ts';
import { isOverTime } from './store/limited-time.ts';

/** Of Han characters, three times as many bytes. */
const LENGTH = proven(50_000, 1_000_000);
/** Of the time of what a person says. */
const MAX_TIMES = 8;
/** Milliseconds: less is noise on a machine that has other work. What takes the square of its length takes minutes. */
const MIN_CPU = 150;
/** Of an event loop on a machine that has other work; a step takes some hundredths of a second. */
const MAX_STOP_MS = 2_000;

let library: TestLibrary;
const files = createTrackFiles();
const ordinary = { cpuMs: 0, stopMs: 0, wordsMs: 0 };

/** Of Postgres, so far. */
const readPostgresMs = async (): Promise<number> => {
  const text = 'SELECT pid FROM pg_stat_activity WHERE datname = current_database()';
  const ms = (await library.query<{ pid: number }>(text)).map(({ pid }) => {
    const file = `/proc/${pid}/schedstat`;
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) / 1_000_000 : 0;
  });
  return ms.reduce((sum, one) => sum + one, 0);
};

/** What the work costs the main thread, and the longest time for which nothing else ran there. */
const measure = async (work: () => Promise<unknown>) => {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  delay.disable();
  return { cpuMs: (user + system) / 1_000, stopMs: delay.max / 1_000_000 };
};

/** Twenty queries of as many words as a query may have, and of few. */
const queriesOf = (text: string, query: string): string[] => {
  const words = text
    .slice(0, 2_000)
    .toWellFormed()
    .replaceAll(/["\ufffd]/g, '')
    .split(/(?<=\s)|(?=\p{Lo})/u);
  const phrases = [0, 1, 2, 3, 4].map((n) =>
    words
      .slice(n, n + 32)
      .join('')
      .slice(0, 190),
  );
  const all = phrases.flatMap((phrase) => {
    const [first = '', ...others] = phrase.split(' ');
    return [`"${phrase}"`, phrase, `${first} -"${others.join(' ')}"`];
  });
  const readable = [query, `"${query}"`, ...all].filter((one) => library.matchDeps.readQuery(one) !== null);
  return Array.from({ length: 20 }, (_, n) => `${readable[n % readable.length]}${' '.repeat(n)}`);
};

/** Milliseconds of this process and of Postgres for words that are tried. */
const measureWords = async (account: string, queries: readonly string[]): Promise<number> => {
  const before = await readPostgresMs();
  const { cpuMs } = await measure(() => library.tryWords(account, queries));
  return cpuMs + (await readPostgresMs()) - before;
};

const wanted = { transcript, format: 'md' } as const;

/** A transcript that an account has received, as the platform's captions become one. */
const receive = async (text: string) => {
  const reading = await files.make(toCaptionBody(asCaptions(text)), wanted, new AbortController().signal);
  if (reading.kind === 'refused') throw new Error(`the captions were refused: ${reading.refusal.row}`);
  const { key, data } = reading.value.cues;
  library.cues.set(key, data);
  const { id } = await library.addTranscript(['']);
  await library.query('UPDATE transcripts SET object_key = $2 WHERE id = $1', [id, key]);
  const account = newAccount();
  await library.receive(account, id);
  return { account, id };
};

const measureIndex = async (text: string) => {
  const received = await receive(text);
  return { ...received, cost: await measure(() => library.index({ splitCues: createSplitCues(files) })) };
};

beforeAll(async () => {
  library = await openLibrary();
});
afterAll(async () => {
  await library?.stop();
  await files.stop();
});

const measureOrdinary = async () => {
  await measureIndex(ordinaryText(LENGTH));
  const text = ordinaryText(LENGTH + 1);
  const { account, cost } = await measureIndex(text);
  const queries = queriesOf(text, 'word1 word2');
  await measureWords(account, queries);
  const wordsMs = Math.max(await measureWords(account, queries), MIN_CPU);
  Object.assign(ordinary, { cpuMs: Math.max(cost.cpuMs, MIN_CPU), stopMs: cost.stopMs, wordsMs });
};
proven(() => {}, beforeAll)(measureOrdinary);

/** Ends in vain if it takes too long, and with no other failure. */
const ends = async (work: Promise<unknown>): Promise<void> => {
  const failure = await work.catch((error: unknown) => error);
  if (failure instanceof Error && !isOverTime(failure)) throw failure;
};

describe.each(Object.entries(hostileTexts))('captions of %s', (_name, [make, query]) => {
  it('make a bounded index, and whoever searches or tries words in them gets an end', async () => {
    const text = make(LENGTH);
    const { account, id } = await measureIndex(text);
    const [entry] = await library.query<{ passages: number; keys: number }>(
      'SELECT passage_count AS passages, cardinality(words) AS keys FROM library_entries WHERE transcript_id = $1',
      [id],
    );
    expect(entry?.passages).toBeGreaterThan(0);
    expect(entry?.passages).toBeLessThanOrEqual(5_000);
    expect(entry?.keys).toBeLessThanOrEqual(50_000);
    await ends(library.search(account, query));
    await ends(library.tryWords(account, queriesOf(text, query)));
  });

  proven(it.skip, it)(
    'cost the index, a search and twenty queries of words little more than what a person says',
    async () => {
      const text = make(LENGTH);
      const { account, cost } = await measureIndex(text);
      expect(cost.cpuMs).toBeLessThan(ordinary.cpuMs * MAX_TIMES);
      expect(cost.stopMs).toBeLessThan(Math.max(MAX_STOP_MS, ordinary.stopMs * MAX_TIMES));
      const searched = await measure(() => ends(library.search(account, query)));
      expect(searched.cpuMs).toBeLessThan(ordinary.cpuMs * MAX_TIMES);
      expect(await measureWords(account, queriesOf(text, query))).toBeLessThan(ordinary.wordsMs * MAX_TIMES);
    },
  );
});

it('searches that are made to hurt let another account find at once', async () => {
  const [hostile, bystander] = [newAccount(), newAccount()];
  const letters = [...'abcdefghijklmnopqrstuvwxyz'].join(' ');
  await library.addIndexed(
    hostile,
    Array.from({ length: 3_000 }, (_, n) => `${n} ${`${letters} `.repeat(11)}.`),
  );
  await library.addIndexed(bystander, ['The harbour at night.']);
  let ended = 0;
  const end = () => {
    ended += 1;
  };
  const many = Array.from({ length: 10 }, () => library.search(hostile, letters).then(end, end));
  expect(await library.search(bystander, 'harbour')).toMatchObject({ total: 1 });
  expect(ended).toBeLessThan(many.length * 0.7);
  await Promise.all(many);
});

it('words of many monitors that are made to hurt are found beside those of a bystander', async () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const line = Array.from({ length: 10 }, () => letters.join(' ')).join(' ');
  const texts = Array.from({ length: proven(200, 1_800) }, (_, n) => `${n} ${line} done.`);
  const { id } = await library.addTranscript([...texts, 'The harbour.']);
  // Each is in every passage, so none of them fits.
  const words = Array.from({ length: 20 }, (_, n) => `a -"${letters.slice(0, 26 - n).join(' ')}"`);
  const bystander = await library.addWatch(['harbour']);
  const watches = [
    ...(await Promise.all(Array.from({ length: 20 }, () => library.addWatch(words)))),
    bystander,
  ];
  for (const { accountId, jobId } of watches) await library.receive(accountId, id, jobId);
  await library.index();
  await library.match(
    id,
    watches.map(({ watch }) => watch),
  );
  expect(library.foundFor(bystander.monitorId)).toHaveLength(1);
  expect(await library.waiting(id)).toEqual([]);
});
