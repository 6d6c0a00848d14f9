import { tierLimits } from '@tds/contracts';
import { loadVideoId } from '@tds/platform-simulator';
import type { Benchmark, Row } from '../benchmark.ts';
import { seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { onOwnCore } from '../support/cores.ts';
import { startHelper } from '../support/helper.ts';
import { FORBIDDEN, fetchOnce, isRefusal } from '../support/http-connection.ts';
import { type Loaded, NO_SAMPLES, OK, sendLoad } from '../support/load.ts';
import { measure, pick, type Rounds, row } from '../support/measure.ts';
import { median, sum } from '../support/statistics.ts';

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 2;
const TOO_MANY_REQUESTS = 429;
/** A minute's allowance may return during a measurement. */
const MOST_ADMITTED = 2 * tierLimits.free.requestsPerMinute;

const target = `/v1/transcript?video_id=${loadVideoId(1)}`;

const rowOf = (path: string, runs: Rounds<Loaded>): Row => {
  const cpu = (side: 'ours' | 'peer') => median(runs[side].map((one) => sum(one.cpu))).toFixed(0);
  const generator = median(runs.peer.map((one) => one.cpuMicros / one.requests)).toFixed(0);
  return row(path, 'requests/s', {
    ...pick(runs, ({ perSecond }) => perSecond),
    goal: { least: 0.5 },
    cpu: `gateway and Redis ${cpu('ours')}; node:http ${cpu('peer')}; generator ${generator}`,
  });
};

export const refusedRequest: Benchmark = {
  name: 'refused',
  title: 'Refused request, against node:http with an empty 403',
  run: async (bench) => {
    await using system = await startBenchSystem(bench);
    await using bare = await startHelper('bare-http');
    await using generator = await startHelper('http-load');
    const servers = await bench.servers();
    const key = (await seedAccounts(servers, 'free', 1))[0]?.key ?? '';
    const wrongKey = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
    const barePort = await bare.ask<number>('refuse');
    const compare = (refusal: number, sent: string) => {
      const load = { connections: CONNECTIONS, requests: [{ target, key: sent }], sampleEvery: NO_SAMPLES };
      const side = (port: number, status: number, pids: readonly number[]) => (seconds: number) =>
        sendLoad(generator, pids, { ...load, port, status, seconds }, { [OK]: MOST_ADMITTED });
      const ours = side(system.port, refusal, [system.gatewayPid, servers.redis.pid]);
      const peer = side(barePort, FORBIDDEN, [bare.pid]);
      return measure(bench, { ours, peer, warmUpSeconds: WARM_UP_SECONDS });
    };
    const refusal = await fetchOnce(system.port, target, wrongKey);
    if (!isRefusal(refusal)) throw new Error(refusal.head);
    const { result: rows, note } = await onOwnCore([system.gatewayPid, bare.pid], async () => [
      rowOf('refused: key with a wrong checksum', await compare(refusal.status, wrongKey)),
      rowOf('refused: key over its limit', await compare(TOO_MANY_REQUESTS, key)),
    ]);
    return {
      rows,
      notes: [
        note,
        `${CONNECTIONS} keep-alive connections. Our refusals carry the envelope, a request id, a record and a measurement; the peer's are empty.`,
        'The key over its limit is a free one that has used its minute; Redis counts each request and admits the next one when the limit allows it.',
      ],
    };
  },
};
