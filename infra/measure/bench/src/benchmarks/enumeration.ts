import { GIANT_VIDEO_COUNT, giantChannel } from '@tds/platform-simulator';
import { type Bench, type Benchmark, median, repeat, sum } from '../benchmark.ts';
import { type Account, seedAccounts } from '../support/accounts.ts';
import { type BenchSystem, startBenchSystem } from '../support/bench-system.ts';
import { queryAs, until } from '../support/databases.ts';
import { fetchOnce } from '../support/http-connection.ts';
import { OK } from '../support/load.ts';

/** The time of a real page. A shorter one would give more weight to the time between two requests. */
const PAGE_TAKES_MS = 100;
const PENDING = 202;
const MS = 1_000;
const LISTED = { everyMs: 250, withinMs: 180_000 };
const LAST_PAGE = `/v1/videos?url=${giantChannel.id}&offset=${GIANT_VIDEO_COUNT - 500}`;
const FORGET = `UPDATE listings SET created_at = created_at - interval '1 day'`;
const PROGRESS = `
  SELECT row_count AS rows, state, extract(epoch FROM ended_at - created_at)::float8 AS seconds
  FROM listings WHERE created_at > now() - interval '12 hours' ORDER BY created_at DESC LIMIT 1`;

type Progress = { readonly rows: number; readonly seconds: number; readonly state: string };
type Walk = { readonly seconds: number; readonly pagesMs: readonly number[] };

const walk = async ({ servers }: Bench, system: BenchSystem, { key }: Account): Promise<Walk> => {
  // Makes earlier listings stale. Gateways have none either: each walk has a key of its own.
  await queryAs(servers, 'search', FORGET);
  await system.platform.ask('takeBusy');
  const begun = fetchOnce(system.port, LAST_PAGE, key);
  let seconds = 0;
  await until(async () => {
    const [found] = await queryAs<Progress>(servers, 'search', PROGRESS);
    seconds = found?.seconds ?? 0;
    const isComplete = found?.state === 'complete' && found.rows === GIANT_VIDEO_COUNT;
    return isComplete ? null : `the listing has ${found?.rows} rows, and is ${found?.state}`;
  }, LISTED);
  const { status } = await begun;
  if (status !== OK && status !== PENDING) throw new Error(`the listing did not begin: ${status}`);
  return { seconds, pagesMs: await system.platform.ask<number[]>('takeBusy') };
};

export const benchmark: Benchmark = {
  title: 'Listing of 20,000 videos: wall time against the latencies of its pages',
  run: async (bench) => {
    await using system = await startBenchSystem(bench, { more: ['search'] });
    const [first, ...others] = await seedAccounts(bench.servers, 'paid', bench.rounds + 1);
    // The first walk compiles the code.
    await walk(bench, system, first as Account);
    await system.platform.ask('setLatency', PAGE_TAKES_MS);
    const walks = await repeat(others.length, () => walk(bench, system, others.pop() as Account));
    const pages = median(walks.map(({ pagesMs }) => pagesMs.length));
    return {
      rows: [
        {
          path: `listing of ${GIANT_VIDEO_COUNT} videos, wall time against the sum of its pages' latencies`,
          unit: 's',
          ours: walks.map(({ seconds }) => seconds),
          peer: walks.map(({ pagesMs }) => sum(pagesMs) / MS),
          goal: { most: 1.1 },
        },
      ],
      notes: [
        `${pages} pages, each after ${PAGE_TAKES_MS} ms; the wall time is that of the listing's row, from its beginning to its last page.`,
      ],
    };
  },
};
