import { withClient } from '@tds/servers';
import { type Bench, type Benchmark, measure, median, type Row, sum } from '../benchmark.ts';
import { privateBytes, processTree, rssBytes } from '../support/procfs.ts';
import { createSide, dropSide, fillSide, type Side } from '../testing/sides.ts';
import { createWorks, notMeasured, type Place, type Work, type Works } from '../testing/works.ts';
import { DELIVERIES_OF_A_CUSTOMER } from '../testing/year-fill.ts';

const MAX = 1.3;
/** An index of a big table is some levels deeper, and a median of a busy machine moves by as much. */
const NOISE_MS = 0.3;
/** Runs of one path on one side of a round: as many, or as long. */
const RUNS = 15;
const MAX_MS_LENGTH = 200;
const WARM_UPS = 3;
const MIB = 1_024 ** 2;
const MILLION = 1_000_000;

/** The median milliseconds of some runs. */
const measureTime = async ({ before, run }: Work, maxRuns: number): Promise<number> => {
  const times: number[] = [];
  for (let elapsed = 0; times.length < maxRuns && elapsed < MAX_MS_LENGTH; elapsed += times.at(-1) ?? 0) {
    await before?.();
    const startedAt = performance.now();
    await run();
    times.push(performance.now() - startedAt);
  }
  return median(times);
};

const compare = async (bench: Bench, full: Works, empty: Works): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const [path, work] of Object.entries(full)) {
    const peerWork = empty[path] as Work;
    try {
      for (const one of [work, peerWork]) await measureTime(one, WARM_UPS);
      const runs = await measure(bench, {
        ours: () => measureTime(work, RUNS),
        peer: () => measureTime(peerWork, RUNS),
      });
      rows.push({ path, unit: 'ms', ...runs, goal: { max: MAX }, noise: NOISE_MS });
    } catch (error) {
      bench.log(`  ${path} failed: ${error}`);
      rows.push({ path, unit: 'ms', ours: [Number.NaN], goal: { max: MAX } });
    }
  }
  return rows;
};

const compareAll = async (bench: Bench, full: Side, empty: Side): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const [at, place] of full.places.entries()) {
    await using stack = new AsyncDisposableStack();
    const ours = await createWorks(bench, place, stack);
    rows.push(...(await compare(bench, ours, await createWorks(bench, empty.places[at] as Place, stack))));
  }
  return rows;
};

const readSize = ({ adminUrl }: Place): Promise<number> =>
  withClient(adminUrl, async (client) => {
    const { rows } = await client.query('SELECT pg_database_size(current_database())::float8 AS bytes');
    return rows[0]?.bytes ?? 0;
  });

/** What a million deliveries add to the disk, by service. */
const disk = async (full: Side, empty: Side, deliveries: number): Promise<Row[]> => {
  const added = await Promise.all(
    full.places.map(async (place, at) => ({
      service: place.service,
      mib:
        ((await readSize(place)) - (await readSize(empty.places[at] as Place))) / MIB / (deliveries / MILLION),
    })),
  );
  const all = [...added, { service: 'all services', mib: sum(added.map(({ mib }) => mib)) }];
  return all.map(({ service, mib }) => ({
    path: `disk of a million deliveries: ${service}`,
    unit: 'MiB',
    ours: [mib],
  }));
};

export const benchmark: Benchmark = {
  title: 'A year of data, against one customer with an empty system',
  run: async (bench) => {
    const { deliveries, servers } = bench;
    const accounts = Math.ceil(deliveries / DELIVERIES_OF_A_CUSTOMER);
    const full = await createSide(bench, 'full', accounts);
    const empty = await createSide(bench, 'empty', 1);
    try {
      const startedAt = performance.now();
      for (const side of [empty, full]) await fillSide(side, accounts, bench.log);
      const filledIn = Math.round((performance.now() - startedAt) / 1_000);
      bench.log(`  filled in ${filledIn} s`);
      const rows = await compareAll(bench, full, empty);
      const memory = sum(processTree(servers.postgres.pid).map(privateBytes)) / MIB;
      const leftOut = Object.entries(notMeasured).map(([name, why]) => `${name} (${why})`);
      return {
        rows: [...rows, ...(await disk(full, empty, deliveries))],
        notes: [
          `The full system holds what ${accounts} customers leave in a year, ${deliveries} deliveries, by the assumptions of \`year.txt\`; the empty one is as old and has one such customer. In the ledger a fifth of them are of one account. Filled in ${filledIn} s.`,
          `Both on the same server, by the services' own code. A purge finds a hundred old rows of each kind. A median that is at most ${NOISE_MS} ms longer counts as equal.`,
          `Afterwards the processes of Postgres had ${Math.round(memory)} MiB beside the shared buffers, this one ${Math.round(rssBytes(process.pid) / MIB)} MiB.`,
          `Not measured: ${leftOut.join('; ')}.`,
        ],
      };
    } finally {
      for (const side of [full, empty]) await dropSide(bench, side);
    }
  },
};
