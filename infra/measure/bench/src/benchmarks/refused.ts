import { tierLimits } from '@tds/contracts';
import { loadVideoId } from '@tds/simulators/platform';
import { type Benchmark, measure, type Row } from '../benchmark.ts';
import { seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { onOwnCore } from '../support/cores.ts';
import { startHelper } from '../support/helper.ts';
import { FORBIDDEN, fetchOnce, isRefusal, withWrongChecksum } from '../support/http-connection.ts';
import { cpuRow, OK, type Pids, sendLoad, throughput } from '../support/load.ts';

const CONNECTIONS = 32;
/** Requests for the same CPU, against node:http. */
const MIN_BY_CPU = 0.6;
const TOO_MANY_REQUESTS = 429;
/** A minute's allowance may return during a measurement. */
const MAX_ADMITTED = 2 * tierLimits.free.requestsPerMinute;

const target = `/v1/transcript?video_id=${loadVideoId(1)}`;

export const benchmark: Benchmark = {
  title: 'Refused request, against node:http with an empty 403',
  run: async (bench) => {
    await using system = await startBenchSystem(bench);
    await using bare = await startHelper('bare-server');
    await using generator = await startHelper('http-load');
    const key = (await seedAccounts(bench.servers, 'free', 1))[0]?.key ?? '';
    const wrongKey = withWrongChecksum(key);
    const barePort = await bare.ask<number>('refusals');
    const pids = { gateway: system.gateway.pid, Redis: bench.servers.redis.pid };
    const compare = (refusal: number, usedKey: string) => {
      const load = { connections: CONNECTIONS, requests: [{ target, key: usedKey }] };
      const side = (port: number, status: number, measured: Pids) => (seconds: number) =>
        sendLoad(generator, measured, { ...load, port, status, seconds }, { [OK]: MAX_ADMITTED });
      return measure(bench, {
        ours: side(system.port, refusal, pids),
        peer: side(barePort, FORBIDDEN, { 'node:http': bare.pid }),
        warmUp: true,
      });
    };
    const refusal = await fetchOnce(system.port, target, wrongKey);
    if (!isRefusal(refusal)) throw new Error(refusal.head);
    const buildRows = (path: string, runs: Awaited<ReturnType<typeof compare>>): Row[] => [
      throughput(path, runs, null),
      cpuRow(`${path}, CPU`, runs, ['gateway', 'node:http'], 1 / MIN_BY_CPU),
    ];
    const { result: rows, note } = await onOwnCore([system.gateway.pid, bare.pid], async () => [
      ...buildRows('refused: key with a wrong checksum', await compare(refusal.status, wrongKey)),
      ...buildRows('refused: key over its limit', await compare(TOO_MANY_REQUESTS, key)),
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
