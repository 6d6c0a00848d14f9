import { loadVideoId } from '@tds/platform-simulator';
import type { Bench, Benchmark, Outcome, Row } from '../benchmark.ts';
import type { LoadOptions, LoadRequest, LoadResult } from '../helpers/http-load.ts';
import { seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { onOwnCore } from '../support/cores.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { fetchOnce } from '../support/http-connection.ts';
import { cpuMicros } from '../support/procfs.ts';
import { interleave } from '../support/rounds.ts';
import { median } from '../support/statistics.ts';

/** Paid keys may ask 300 times in any minute: this many allow 20,000 requests per second without a refusal. */
const ACCOUNTS = 4_000;
const CONNECTIONS = 32;
const WARM_UP_SECONDS = 3;
const OK = 200;

const transcript = `/v1/transcript?video_id=${loadVideoId(1)}`;
const status: readonly LoadRequest[] = [{ target: '/v1/status' }];

type Measured = { readonly load: LoadResult; readonly cpu: number };

const assertAnswered = ({ otherStatuses }: LoadResult): void => {
  if (Object.keys(otherStatuses).length > 0)
    throw new Error(`answers that are wrong: ${JSON.stringify(otherStatuses)}`);
};

const createMeasure =
  (generator: Helper, port: number, gatewayPid: number) =>
  async (requests: readonly LoadRequest[], seconds?: number): Promise<Measured> => {
    const before = cpuMicros([gatewayPid]);
    const options: LoadOptions = {
      port,
      requests,
      connections: CONNECTIONS,
      status: OK,
      sampleEvery: Number.MAX_SAFE_INTEGER,
      ...(seconds === undefined ? {} : { seconds }),
    };
    const load = await generator.ask<LoadResult>('load', options);
    assertAnswered(load);
    return { load, cpu: (cpuMicros([gatewayPid]) - before) / load.requests };
  };

type Runs = { readonly ours: readonly Measured[]; readonly peer: readonly Measured[] };

const throughput = ({ ours, peer }: Runs): Row => ({
  path: 'status, beside a cached transcript',
  unit: 'requests/s',
  ours: ours.map(({ load }) => load.perSecond),
  peer: peer.map(({ load }) => load.perSecond),
  goal: { least: 0.8 },
  cpu: `gateway ${median(ours.map(({ cpu }) => cpu)).toFixed(0)}; with a key ${median(peer.map(({ cpu }) => cpu)).toFixed(0)}`,
});

const underFlood = (path: string, of: (load: LoadResult) => number, { ours, peer }: Runs): Row => ({
  path,
  unit: 'ms',
  ours: ours.map(({ load }) => of(load)),
  peer: peer.map(({ load }) => of(load)),
  goal: { most: 1.2 },
});

const run = async (bench: Bench): Promise<Outcome> => {
  const system = await startBenchSystem(bench, 1, ['status']);
  const [generator, flooder] = await Promise.all([startHelper('http-load'), startHelper('http-load')]);
  try {
    const accounts = await seedAccounts(await bench.servers(), 'paid', ACCOUNTS);
    const reads = accounts.map(({ key }) => ({ target: transcript, key }));
    const [half, rest] = [reads.slice(0, ACCOUNTS / 2), reads.slice(ACCOUNTS / 2)];
    await fetchOnce(system.port, transcript, accounts[0]?.key ?? '');
    const gatewayPid = system.gateways[0]?.pid ?? 0;
    const measure = createMeasure(generator, system.port, gatewayPid);
    const flood = createMeasure(flooder, system.port, gatewayPid);
    /** Cached reads while others ask for this as fast as they can. */
    const beside = async (requests: readonly LoadRequest[], seconds: number): Promise<Measured> => {
      const [measured] = await Promise.all([measure(half, seconds), flood(requests, seconds)]);
      return measured;
    };
    // Every key once, which asks identity and the ledger for it.
    await measure(reads);
    await measure(status, WARM_UP_SECONDS);
    await measure(reads, WARM_UP_SECONDS);
    const { result, note } = await onOwnCore([gatewayPid], async () => ({
      alone: await interleave(bench.rounds, {
        ours: () => measure(status, bench.seconds),
        peer: () => measure(reads, bench.seconds),
      }),
      flooded: await interleave(bench.rounds, {
        ours: () => beside(status, bench.seconds),
        peer: () => beside(rest, bench.seconds),
      }),
    }));
    return {
      rows: [
        throughput(result.alone),
        underFlood('cached read in a flood of status, p50', ({ p50Ms }) => p50Ms, result.flooded),
        underFlood('cached read in a flood of status, p99', ({ p99Ms }) => p99Ms, result.flooded),
      ],
      notes: [
        note,
        `${CONNECTIONS} keep-alive connections. The peer of status is a cached transcript of the same gateway, read with ${ACCOUNTS} paid keys in turn.`,
        `Of the flood: ${CONNECTIONS} connections read cached transcripts while ${CONNECTIONS} others ask for the status as fast as they can; the peer is the same while the others read cached transcripts.`,
      ],
    };
  } finally {
    await generator.stop();
    await flooder.stop();
    await system.stop();
  }
};

export const statusRead: Benchmark = {
  name: 'status',
  title: 'GET /v1/status, against a cached transcript of the same gateway',
  run,
};
