import { type Bench, type Benchmark, percentile, type Row } from '../benchmark.ts';
import { seedAccounts } from '../support/accounts.ts';
import { type BenchSystem, startBenchSystem } from '../support/bench-system.ts';
import { type Cpu, cpuSince } from '../support/cpu-meter.ts';
import { queryAs } from '../support/databases.ts';
import { fetchOnce } from '../support/http-connection.ts';
import { drawWord, multiplyLibrary, receiveTranscripts, untilIndexed } from '../support/library-fill.ts';
import { OK } from '../support/load.ts';
import { cpuMicros, treeCpuMicros } from '../support/procfs.ts';

const SERVICE = 'transcript-fetcher';
const TRANSCRIPTS = 100_000;
/** As many differ; the others are copies. */
const DIFFERENT = 2_000;
// A paid key may ask 300 times a minute.
const SEARCHES = 240;
const WARM_UP = 30;
const MICROS_PER_MS = 1_000;
const MAX_SEARCH_MS = 200;
const MAX_CPU_MS = 3;

type Stage = {
  readonly bench: Bench;
  readonly system: BenchSystem;
  readonly accountId: string;
  readonly key: string;
};

/** The CPU of making transcripts searchable, in milliseconds for each. */
const measureIndex = async ({ bench, system, accountId }: Stage): Promise<Row> => {
  const { servers } = bench;
  const pid = system.behind.find(({ service }) => service === SERVICE)?.pid ?? 0;
  const cpu = (): Cpu => ({ [SERVICE]: cpuMicros([pid]), Postgres: treeCpuMicros(servers.postgres.pid) });
  await receiveTranscripts(servers, accountId, DIFFERENT / 10);
  await untilIndexed(servers);
  const ours: number[] = [];
  const cpuTexts: string[] = [];
  for (let remaining = DIFFERENT - DIFFERENT / 10; remaining > 0; remaining -= DIFFERENT / 10) {
    // Not with the storing: what waits is due only now.
    await receiveTranscripts(servers, accountId, DIFFERENT / 10);
    const before = cpu();
    await untilIndexed(servers);
    const spent = Object.entries(cpuSince(before, cpu()));
    const ms = spent.map(([name, micros]) => [name, micros / MICROS_PER_MS / (DIFFERENT / 10)] as const);
    ours.push(ms.reduce((sum, [, each]) => sum + each, 0));
    cpuTexts.push(ms.map(([name, each]) => `${name} ${each.toFixed(2)}`).join(', '));
  }
  return {
    path: 'making a received transcript of ten minutes searchable',
    ...{ unit: 'ms of CPU', ours, goal: { max: MAX_CPU_MS }, cpu: cpuTexts.at(-1) ?? '' },
  };
};

/** Queries as people write them: one to three words, some of them frequent, a phrase, an exclusion, the most frequent word. */
const queries: readonly (() => string)[] = [
  () => drawWord(100),
  () => `${drawWord()} ${drawWord(100)}`,
  () => `${drawWord()} ${drawWord()} ${drawWord(100)}`,
  () => `"${drawWord()} ${drawWord()}"`,
  () => `${drawWord(100)} -${drawWord()}`,
  () => 'a',
];

const search = async ({ system, key }: Stage, q: string): Promise<number> => {
  const startedAt = performance.now();
  const { status } = await fetchOnce(system.port, `/v1/library/search?${new URLSearchParams({ q })}`, key);
  if (status !== OK) throw new Error(`a search was answered ${status}`);
  return performance.now() - startedAt;
};

const measureSearches = async (stage: Stage): Promise<Row> => {
  const took: number[] = [];
  for (let n = 0; n < WARM_UP + SEARCHES; n += 1)
    took.push(await search(stage, queries[n % queries.length]?.() ?? ''));
  return {
    ...{ path: 'search in 100,000 transcripts, p95', unit: 'ms', goal: { max: MAX_SEARCH_MS } },
    ours: [percentile(took.slice(WARM_UP), 0.95)],
  };
};

export const benchmark: Benchmark = {
  title: 'Searches in a library of 100,000 transcripts, and the CPU of making one searchable',
  run: async (bench) => {
    await using system = await startBenchSystem(bench);
    const [account] = await seedAccounts(bench.servers, 'paid', 1);
    if (!account) throw new Error('there is no account');
    const stage = { bench, system, accountId: account.id, key: account.key };
    const index = await measureIndex(stage);
    bench.log('  copying the library');
    await multiplyLibrary(bench.servers, account.id, TRANSCRIPTS);
    const searches = await measureSearches(stage);
    const [sizes] = await queryAs<{ text: string }>(
      bench.servers,
      SERVICE,
      `SELECT string_agg(name || ' ' || pg_size_pretty(pg_total_relation_size(name::regclass)), ', ') AS text
       FROM unnest(ARRAY['library_entries', 'passages', 'library_words']) AS name`,
    );
    return {
      rows: [searches, index],
      notes: [
        `One account with ${TRANSCRIPTS} transcripts of ten minutes, ${DIFFERENT} of them different; words by the law of Zipf. ${SEARCHES} searches, one after the other, through the gateway.`,
        `Sizes: ${sizes?.text}.`,
      ],
    };
  },
};
