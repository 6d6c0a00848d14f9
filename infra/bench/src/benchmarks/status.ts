import { loadVideoId } from '@tds/platform-simulator';
import { createSite } from '@tds/site';
import { type Bench, type Benchmark, measure, pick, type Rounds, type Row } from '../benchmark.ts';
import type { LoadRequest } from '../helpers/http-load.ts';
import { seedAccounts } from '../support/accounts.ts';
import { type BenchSystem, startBenchSystem } from '../support/bench-system.ts';
import { onOwnCore } from '../support/cores.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { fetchOnce } from '../support/http-connection.ts';
import { keysFor, type Loaded, OK, sendLoad, throughput } from '../support/load.ts';

const CONNECTIONS = 32;
/** A key is in one load of all keys in a round, and in at most three of half of them, which count twice. */
const LOADS = 7;

const transcript = `/v1/transcript?video_id=${loadVideoId(1)}`;
const status: readonly LoadRequest[] = [{ target: '/v1/status' }];
const PAGES_PER_SECOND = 100;
const site = createSite({ publicUrl: 'http://localhost', supportEmail: 'help@example.com' }).pages;
/** Every page, as browsers request it. `request-cost` measures their CPU. */
const pages: readonly LoadRequest[] = [...site.map(({ path }) => path), '/status'].map((target) => ({
  target,
  encodings: 'gzip, br',
}));

type Runs = Readonly<Record<'alone' | 'flooded' | 'paged', Rounds<Loaded>>>;

const rowsOf = ({ alone, flooded, paged }: Runs): Row[] => {
  const inFlood = { unit: 'ms', goal: { most: 1.2 } };
  const path = 'cached read in a flood of status';
  const besidePages = `cached read beside ${PAGES_PER_SECOND} pages a second`;
  return [
    throughput('status, beside a cached transcript', alone, 0.8),
    { path: `${path}, p50`, ...inFlood, ...pick(flooded, ({ p50Ms }) => p50Ms) },
    { path: `${path}, p99`, ...inFlood, ...pick(flooded, ({ p99Ms }) => p99Ms) },
    { path: `${besidePages}, p50`, unit: 'ms', ...pick(paged, ({ p50Ms }) => p50Ms) },
    { path: `${besidePages}, p99`, unit: 'ms', goal: { most: 1.1 }, ...pick(paged, ({ p99Ms }) => p99Ms) },
  ];
};

const compare = async (
  bench: Bench,
  { port, gatewayPid }: BenchSystem,
  [generator, flooder]: readonly [Helper, Helper],
) => {
  const accounts = await seedAccounts(bench.servers, 'paid', keysFor(bench, LOADS));
  const reads = accounts.map(({ key }) => ({ target: transcript, key }));
  const [half, rest] = [reads.slice(0, reads.length / 2), reads.slice(reads.length / 2)];
  const load = { port, connections: CONNECTIONS, status: OK };
  const send = (helper: Helper, requests: readonly LoadRequest[], seconds?: number) =>
    sendLoad(helper, { gateway: gatewayPid }, { ...load, requests, seconds });
  /** Cached reads while other connections send these requests as fast as they can. */
  const beside = async (requests: readonly LoadRequest[], seconds: number): Promise<Loaded> => {
    const both = [send(generator, half, seconds), send(flooder, requests, seconds)] as const;
    return (await Promise.all(both))[0];
  };
  const besidePages = async (seconds: number): Promise<Loaded> => {
    const paced = sendLoad(flooder, {}, { ...load, requests: pages, seconds, perSecond: PAGES_PER_SECOND });
    return (await Promise.all([send(generator, rest, seconds), paced]))[0];
  };
  await fetchOnce(port, transcript, accounts[0]?.key ?? '');
  // The first request of each key makes the gateway ask identity and the ledger.
  await send(generator, reads);
  const { result, note } = await onOwnCore([gatewayPid], async () => ({
    alone: await measure(bench, {
      ours: (seconds) => send(generator, status, seconds),
      peer: (seconds) => send(generator, reads, seconds),
      warmUp: true,
    }),
    flooded: await measure(bench, {
      ours: (seconds) => beside(status, seconds),
      peer: (seconds) => beside(rest, seconds),
    }),
    paged: await measure(bench, { ours: besidePages, peer: (seconds) => send(generator, rest, seconds) }),
  }));
  return {
    rows: rowsOf(result),
    notes: [
      note,
      `${CONNECTIONS} keep-alive connections. The peer of status is a cached transcript of the same gateway, read with ${reads.length} paid keys in turn.`,
      `Flood: ${CONNECTIONS} connections read cached transcripts while ${CONNECTIONS} others ask for the status as fast as they can; in the peer the others read cached transcripts.`,
      `Pages: all ${pages.length} in turn, compressed, ${PAGES_PER_SECOND} a second; the peer reads cached transcripts alone.`,
    ],
  };
};

export const benchmark: Benchmark = {
  title: 'GET /v1/status and pages, against cached transcripts of the same gateway',
  run: async (bench) => {
    await using system = await startBenchSystem(bench, { more: ['status'] });
    await using generator = await startHelper('http-load');
    await using flooder = await startHelper('http-load');
    return await compare(bench, system, [generator, flooder]);
  },
};
