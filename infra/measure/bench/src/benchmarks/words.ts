import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '@tds/servers';
import { type Bench, type Benchmark, repeat, sum } from '../benchmark.ts';
import { type Account, seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { type Cpu, type CpuMeter, createCpuMeter } from '../support/cpu-meter.ts';
import { type Client, ownerUrl, queryAs, until } from '../support/databases.ts';
import { drawWord, receiveTranscripts, untilIndexed } from '../support/library-fill.ts';

const [FETCHER, MONITORS] = ['transcript-fetcher', 'monitor-scheduler'];
const MEASURED = [FETCHER, MONITORS, 'Postgres'];
const [ACCOUNTS, QUERIES_EACH, WORDS] = [1_000, 10, 10_000];
/** Rarer ones are in few transcripts. */
const COMMON = 100;
const SETTLES_MS = 2_000;
const MATCHED = { everyMs: 100, withinMs: 60_000 };

/** Mostly words of which a transcript lacks one; some phrases and exclusions. */
const shapes: readonly (() => string)[] = [
  () => `${drawWord(COMMON)} ${drawWord(COMMON)} ${drawWord(COMMON)}`,
  () => `"${drawWord(COMMON)} ${drawWord(COMMON)}"`,
  () => `"${drawWord(COMMON)} ${drawWord()}" -${drawWord()}`,
  () => `${drawWord(COMMON)} ${drawWord(COMMON)}`,
];

const fillMonitors = ({ servers }: Bench): Promise<object[]> => {
  const words = Array.from({ length: ACCOUNTS }, () =>
    Array.from({ length: QUERIES_EACH }, (_, n) => shapes[n % shapes.length]?.()),
  );
  return queryAs(
    servers,
    MONITORS,
    `WITH feed AS (
       INSERT INTO feeds (id, kind, source_id, title, watchers, checked_at, due_at)
       VALUES (gen_random_uuid(), 'channel', 'UC' || lpad('0', 22, '0'), 'A channel', 1, now(), now() + interval '1 day')
       RETURNING id, kind, source_id)
     INSERT INTO monitors (id, account_id, feed_id, kind, source_id, auto_fetch, words, language, fallback, created_at, uses_webhook,
       baseline, emitted, fetched, due_at)
     SELECT gen_random_uuid(), gen_random_uuid(), f.id, f.kind, f.source_id, true, ARRAY(SELECT jsonb_array_elements_text(w)), 'en',
       true, now(), false, 0, 0, 0, now() + interval '1 day'
     FROM feed AS f, jsonb_array_elements($1::jsonb) AS given (w)
     RETURNING replace(id::text, '-', '') AS id, account_id AS account`,
    [JSON.stringify(words)],
  );
};

type Place = {
  readonly client: Client;
  readonly meter: CpuMeter;
  readonly account: Account;
  readonly monitors: readonly object[];
};

/** Matches an indexed transcript that was delivered to a job of each monitor. Polls on one connection, which is open before. */
const matchOnce = async ({ servers }: Bench, { client, meter, account, monitors }: Place) => {
  await receiveTranscripts(servers, account.id, 1, WORDS);
  await untilIndexed(servers);
  await client.query(
    `INSERT INTO unmatched_deliveries (transcript_id, monitor_id, account_id, job_id)
     SELECT (SELECT transcript_id FROM library_entries WHERE account_id = $1 ORDER BY received_at DESC LIMIT 1),
       m ->> 'id', (m ->> 'account')::uuid, gen_random_uuid() FROM jsonb_array_elements($2::jsonb) AS m`,
    [account.id, JSON.stringify(monitors)],
  );
  await delay(SETTLES_MS);
  const { cpu } = await meter.during(async () => {
    await client.query(
      `INSERT INTO unindexed_transcripts (id) SELECT DISTINCT transcript_id FROM unmatched_deliveries
       ON CONFLICT (id) DO UPDATE SET due_at = now()`,
    );
    await until(async () => {
      const { rowCount } = await client.query('SELECT FROM unmatched_deliveries LIMIT 1');
      return rowCount === 0 ? null : 'not all monitors were matched';
    }, MATCHED);
    await delay(SETTLES_MS);
  });
  const { rowCount: matches } = await client.query('DELETE FROM word_matches');
  return { cpu, matches: Number(matches) };
};

const msOf = (cpu: Cpu): number => sum(MEASURED.map((name) => Math.max(0, cpu[name] ?? 0))) / 1_000;

export const benchmark: Benchmark = {
  title: '10,000 queries of 1,000 accounts on one new transcript',
  run: async (bench) => {
    await using system = await startBenchSystem(bench, { extraServices: [MONITORS] });
    const [account] = await seedAccounts(bench.servers, 'paid', 1);
    if (!account) throw new Error('there is no account');
    const monitors = await fillMonitors(bench);
    const meter = await createCpuMeter(bench, system);
    const rounds = await withClient(ownerUrl(bench.servers, FETCHER), async (client) => {
      const match = () => matchOnce(bench, { client, meter, account, monitors });
      await match();
      return repeat(bench.rounds, match);
    });
    const shares = rounds.map(({ matches }) => ((matches / ACCOUNTS / QUERIES_EACH) * 100).toFixed(1));
    const ours = rounds.map(({ cpu }) => msOf(cpu));
    return {
      rows: [{ path: '10,000 queries on a new transcript', unit: 'ms of CPU', goal: { max: 200 }, ours }],
      notes: [
        `1,000 accounts with ten queries each, all different, on transcripts of 10,000 words; ${shares.join(', ')} % of the queries match. CPU of transcript-fetcher, monitor-scheduler and Postgres, from the event to the last commit.`,
      ],
    };
  },
};
