import { setTimeout as delay } from 'node:timers/promises';
import { GIANT_VIDEO_COUNT, giantChannel } from '@tds/platform-simulator';
import { withClient } from '@tds/servers';
import type { Bench, Benchmark } from '../benchmark.ts';
import type { PlatformTime } from '../helpers/timed-simulator.ts';
import { type Account, seedAccounts } from '../support/accounts.ts';
import { type BenchSystem, startBenchSystem } from '../support/bench-system.ts';
import { fetchOnce } from '../support/http-connection.ts';
import { OK } from '../support/load.ts';
import { row } from '../support/measure.ts';
import { cpuMicros, rssBytes } from '../support/procfs.ts';
import { median } from '../support/statistics.ts';

/** The time of a real page. A shorter one would give more weight to the time between two requests. */
const PAGE_TAKES_MS = 100;
const PENDING = 202;
const LOOK_EVERY_MS = 250;
const WITHIN_MS = 180_000;
const MEBIBYTE = 1_048_576;
const LAST_PAGE = `/v1/videos?url=${giantChannel.id}&offset=${GIANT_VIDEO_COUNT - 500}`;

type Walked = {
  readonly wallMs: number;
  readonly platform: PlatformTime;
  /** Memory of search in MiB: when a quarter was saved, and the greatest afterwards. */
  readonly early: number;
  readonly most: number;
  readonly cpuMs: number;
};

type Progress = { rows: number; ms: number; state: string };

const progressOf = async (bench: Bench): Promise<Progress> => {
  const { databases } = await bench.servers();
  const url = databases.search?.ownerUrl;
  if (url === undefined) throw new Error('there is no database of search');
  return withClient(url, async (client) => {
    const { rows } = await client.query(
      `SELECT row_count AS rows, state, (extract(epoch FROM ended_at - created_at) * 1000)::float8 AS ms
       FROM listings WHERE created_at > now() - interval '12 hours' ORDER BY created_at DESC LIMIT 1`,
    );
    return (rows as Progress[])[0] ?? { rows: 0, ms: 0, state: 'none' };
  });
};

/** Makes earlier listings stale. Gateways have none either: each walk has a key of its own. */
const forget = async (bench: Bench): Promise<void> => {
  const { databases } = await bench.servers();
  await withClient(
    String(databases.search?.ownerUrl),
    async (client) =>
      void (await client.query(`UPDATE listings SET created_at = created_at - interval '1 day'`)),
  );
};

const begin = async (port: number, { key }: Account): Promise<void> => {
  const { status } = await fetchOnce(port, LAST_PAGE, key);
  if (status !== OK && status !== PENDING) throw new Error(`the listing did not begin: ${status}`);
};

const walk = async (bench: Bench, system: BenchSystem, account: Account): Promise<Walked> => {
  await forget(bench);
  await system.platform.ask('take');
  const pid = system.behind.find(({ service }) => service === 'search')?.pid ?? 0;
  const cpuBefore = cpuMicros([pid]);
  const begun = begin(system.port, account);
  const seen: { rows: number; rss: number }[] = [];
  for (const endsAt = performance.now() + WITHIN_MS; ; await delay(LOOK_EVERY_MS)) {
    const { rows, ms, state } = await progressOf(bench);
    seen.push({ rows, rss: rssBytes(pid) / MEBIBYTE });
    if (state === 'complete' && rows === GIANT_VIDEO_COUNT) {
      await begun;
      const platform = await system.platform.ask<PlatformTime>('take');
      const quarter = seen.find((each) => each.rows >= GIANT_VIDEO_COUNT / 4)?.rss ?? 0;
      const after = seen.filter((each) => each.rows >= GIANT_VIDEO_COUNT / 4).map(({ rss }) => rss);
      const cpuMs = (cpuMicros([pid]) - cpuBefore) / 1_000;
      return { wallMs: ms, platform, early: quarter, most: Math.max(...after), cpuMs };
    }
    if (performance.now() > endsAt) throw new Error(`the listing has ${rows} rows, and is ${state}`);
  }
};

export const enumeration: Benchmark = {
  name: 'enumeration',
  title: 'Listing of 20,000 videos: wall time against the latencies of its pages, and memory',
  run: async (bench) => {
    await using system = await startBenchSystem(bench, { more: ['search'] });
    await system.platform.ask('setLatency', PAGE_TAKES_MS);
    const all: Walked[] = [];
    for (const account of await seedAccounts(await bench.servers(), 'paid', bench.rounds + 1)) {
      const walked = await walk(bench, system, account);
      all.push(walked);
      const [wall, platform] = [walked.wallMs / 1_000, walked.platform.ms / 1_000];
      bench.say(`  ${wall.toFixed(1)} s, the platform ${platform.toFixed(1)} s`);
    }
    // The first walk compiles the code.
    const walks = all.slice(1);
    return {
      rows: [
        row(
          `listing of ${GIANT_VIDEO_COUNT} videos, wall time against the sum of its pages' latencies`,
          's',
          {
            ours: walks.map(({ wallMs }) => wallMs / 1_000),
            peer: walks.map(({ platform }) => platform.ms / 1_000),
            goal: { most: 1.1 },
          },
        ),
        row('memory of search: the most after the first quarter against that at its end', 'MiB', {
          ours: walks.map(({ most }) => most),
          peer: walks.map(({ early }) => early),
          goal: { most: 1.1 },
        }),
      ],
      notes: [
        `${median(walks.map(({ platform }) => platform.requests))} pages, each after ${PAGE_TAKES_MS} ms; the wall time is that of the listing's row, from its beginning to its last page.`,
        `Search used ${(median(walks.map(({ cpuMs }) => cpuMs)) / 1_000).toFixed(1)} s of CPU per listing.`,
      ],
    };
  },
};
