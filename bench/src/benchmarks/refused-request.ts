import { tierLimits } from '@tds/contracts';
import { loadVideoId } from '@tds/platform-simulator';
import type { Bench, Benchmark, Outcome, Row } from '../benchmark.ts';
import type { LoadOptions, LoadResult } from '../helpers/http-load.ts';
import { seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { onOwnCore } from '../support/cores.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { fetchOnce } from '../support/http-connection.ts';
import { cpuMicros } from '../support/procfs.ts';
import { interleave } from '../support/rounds.ts';
import { median } from '../support/statistics.ts';

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 2;
const UNAUTHORIZED = 401;
const FORBIDDEN = 403;
const TOO_MANY_REQUESTS = 429;
const OK = 200;
/** A minute's allowance may come back during a measurement. */
const MOST_ADMITTED = 2 * tierLimits.free.requestsPerMinute;

const target = `/v1/transcript?video_id=${loadVideoId(1)}`;

type Side = { readonly port: number; readonly status: number; readonly pids: readonly number[] };
type Measured = { readonly perSecond: number; readonly cpuPerRequest: number; readonly generator: number };

const refuse = async (
  generator: Helper,
  { port, status, pids }: Side,
  { key, seconds }: { key: string; seconds: number },
): Promise<Measured> => {
  const before = cpuMicros(pids);
  const options: LoadOptions = {
    port,
    status,
    seconds,
    connections: CONNECTIONS,
    requests: [{ target, key }],
    sampleEvery: Number.MAX_SAFE_INTEGER,
  };
  const result = await generator.ask<LoadResult>('load', options);
  const { [OK]: admitted = 0, ...others } = result.otherStatuses;
  if (admitted > MOST_ADMITTED || Object.keys(others).length > 0) {
    throw new Error(`answers that are no refusals: ${JSON.stringify(result.otherStatuses)}`);
  }
  const { requests, perSecond } = result;
  return {
    perSecond,
    cpuPerRequest: (cpuMicros(pids) - before) / requests,
    generator: result.cpuMicros / requests,
  };
};

const rowOf = (path: string, { ours, peer }: { ours: Measured[]; peer: Measured[] }): Row => ({
  path,
  unit: 'requests/s',
  ours: ours.map(({ perSecond }) => perSecond),
  peer: peer.map(({ perSecond }) => perSecond),
  goal: { least: 0.5 },
  cpu: `gateway and Redis ${median(ours.map((one) => one.cpuPerRequest)).toFixed(0)}; node:http ${median(
    peer.map((one) => one.cpuPerRequest),
  ).toFixed(0)}; generator ${median(peer.map((one) => one.generator)).toFixed(0)}`,
});

const run = async (bench: Bench): Promise<Outcome> => {
  const system = await startBenchSystem(bench);
  const [bare, generator] = await Promise.all([startHelper('bare-refusal'), startHelper('http-load')]);
  try {
    const servers = await bench.servers();
    const [account] = await seedAccounts(servers, 'free', 1);
    const key = account?.key ?? '';
    const wrongKey = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
    const pids = [system.gateways[0]?.pid ?? 0, servers.redis.pid];
    const peer = { port: await bare.ask<number>('listen'), status: FORBIDDEN, pids: [bare.pid] };
    const compare = async (status: number, sent: string) => {
      const ours = { port: system.port, status, pids };
      const side = (refusing: Side, seconds: number) => refuse(generator, refusing, { key: sent, seconds });
      await side(ours, WARM_UP_SECONDS);
      await side(peer, WARM_UP_SECONDS);
      return await interleave(bench.rounds, {
        ours: () => side(ours, bench.seconds),
        peer: () => side(peer, bench.seconds),
      });
    };
    const refusal = await fetchOnce(system.port, target, wrongKey);
    if (refusal.status !== FORBIDDEN && refusal.status !== UNAUTHORIZED) throw new Error(refusal.head);
    const { result, note } = await onOwnCore([system.gateways[0]?.pid ?? 0, bare.pid], async () => ({
      badKey: await compare(refusal.status, wrongKey),
      overLimit: await compare(TOO_MANY_REQUESTS, key),
    }));
    return {
      rows: [
        rowOf('refused: key with a wrong checksum', result.badKey),
        rowOf('refused: key over its limit', result.overLimit),
      ],
      notes: [
        note,
        `${CONNECTIONS} keep-alive connections. Our refusals carry the envelope, a request id, a record and a measurement; the peer's are empty.`,
        'The key over its limit is a free one that has used its minute; Redis is asked each time and admits the next request as soon as it may.',
      ],
    };
  } finally {
    await generator.stop();
    await bare.stop();
    await system.stop();
  }
};

export const refusedRequest: Benchmark = {
  name: 'refused',
  title: 'Refused request, against node:http with an empty 403',
  run,
};
