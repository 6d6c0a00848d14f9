import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { loadVideoId } from '@tds/platform-simulator';
import type { Benchmark } from '../benchmark.ts';
import type { BareExpressOptions } from '../helpers/bare-express.ts';
import { seedAccounts } from '../support/accounts.ts';
import { type BenchSystem, startBenchSystem } from '../support/bench-system.ts';
import { onOwnCore } from '../support/cores.ts';
import { startHelper } from '../support/helper.ts';
import { fetchOnce, type HttpAnswer, isRefusal } from '../support/http-connection.ts';
import { OK, sendLoad } from '../support/load.ts';
import { measure, pick, row } from '../support/measure.ts';
import { readMetric } from '../support/service-process.ts';
import { median, sum } from '../support/statistics.ts';

/** A paid key may send 300 requests in any minute: 4,000 keys allow 20,000 requests per second without a refusal. */
const ACCOUNTS = 4_000;
const VIDEOS = 16;
const CONNECTIONS = 32;
const SAMPLE_EVERY = 100;
const WARM_UP_SECONDS = 3;

const videoIds = Array.from({ length: VIDEOS }, (_, index) => loadVideoId(index + 1));
const targetOf = (videoId: string): string => `/v1/transcript?video_id=${videoId}`;

const headersOf = ({ head }: HttpAnswer): Record<string, string> =>
  Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );

/** Headers that Node adds on both sides. */
const nodesOwn = new Set(['Date', 'Connection', 'Keep-Alive', 'Content-Length']);

/** Makes each transcript warm, and returns what the peer has to answer. */
const readAll = async (port: number, key: string) => {
  const bodies: Record<string, Buffer> = {};
  const expected: Record<string, string> = {};
  let warm: HttpAnswer | undefined;
  for (const id of videoIds) {
    await fetchOnce(port, targetOf(id), key);
    warm = await fetchOnce(port, targetOf(id), key);
    bodies[id] = warm.body ?? Buffer.alloc(0);
    expected[targetOf(id)] = createHash('sha256').update(bodies[id]).digest('hex');
  }
  if (!warm) throw new Error('there are no videos');
  const headers = Object.entries(headersOf(warm)).filter(([name]) => !nodesOwn.has(name));
  return {
    warm,
    expected,
    peer: { bodies, headers: Object.fromEntries(headers) } satisfies BareExpressOptions,
  };
};

/** Throws if the gateway left out a promised feature during the run; returns those that it saw. */
const checkFeatures = async (
  { port, gateways: [gateway] }: BenchSystem,
  { key, warm, requests }: { key: string; warm: HttpAnswer; requests: number },
): Promise<string> => {
  if (!gateway) throw new Error('there is no gateway');
  const target = targetOf(videoIds[0] ?? '');
  const [headers, again] = [headersOf(warm), headersOf(await fetchOnce(port, target, key))];
  const wrongKey = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
  const labels = 'route="getTranscript",method="GET",status="200"';
  const counted = await readMetric(gateway, 'tds_http_request_duration_seconds_count', labels);
  const recorded = (await readFile(gateway.logFile, 'latin1')).split('"kind":"http"').length - 1;
  const features = {
    'key required': isRefusal(await fetchOnce(port, target)),
    'key checked': isRefusal(await fetchOnce(port, target, wrongKey)),
    'rate limit': headers['X-RateLimit-Limit'] === '300',
    balance: Number(headers['X-Credits-Balance']) > 0,
    'credits charged': headers['X-Credits-Charged'] === '0',
    'cache outcome': headers['X-Cache'] === 'HIT',
    'request id of its own': again['X-Request-Id'] !== headers['X-Request-Id'],
    'security headers': headers['X-Content-Type-Options'] === 'nosniff',
    [`metrics (${counted} measurements)`]: counted >= requests,
    [`one record per request (${recorded})`]: recorded >= counted,
  };
  const missing = Object.entries(features).filter(([, isActive]) => !isActive);
  if (missing.length > 0) throw new Error(`not active: ${missing.map(([name]) => name).join(', ')}`);
  return `Active on our side and asserted: ${Object.keys(features).join(', ')}.`;
};

export const cachedRead: Benchmark = {
  name: 'cached-read',
  title: 'Cached transcript read with the full contract, against a bare Express 5 handler',
  run: async (bench) => {
    await using system = await startBenchSystem(bench);
    await using express = await startHelper('bare-express');
    await using generator = await startHelper('http-load');
    const { redis } = await bench.servers();
    const accounts = await seedAccounts(await bench.servers(), 'paid', ACCOUNTS);
    const { port, gatewayPid } = system;
    const key = accounts[0]?.key ?? '';
    const { warm, expected, peer: peerOptions } = await readAll(port, key);
    const expressPort = await express.ask<number>('listen', peerOptions);
    const requests = accounts.map((account, index) => ({
      target: targetOf(videoIds[index % VIDEOS] ?? ''),
      key: account.key,
    }));
    const load = { connections: CONNECTIONS, requests, status: OK, sampleEvery: SAMPLE_EVERY, expected };
    const ours = (seconds?: number) =>
      sendLoad(generator, [gatewayPid, redis.pid], { ...load, port, seconds });
    const peer = (seconds: number) =>
      sendLoad(generator, [express.pid], { ...load, port: expressPort, seconds });
    // The first request of each key makes the gateway ask identity and the ledger.
    await ours();
    const { result: runs, note } = await onOwnCore([gatewayPid, express.pid], () =>
      measure(bench, { ours, peer, warmUpSeconds: WARM_UP_SECONDS }),
    );
    const features = await checkFeatures(system, {
      key,
      warm,
      requests: sum(runs.ours.map((one) => one.requests)),
    });
    const cpu = (side: 'ours' | 'peer', at: number) =>
      median(runs[side].map((one) => one.cpu[at] ?? 0)).toFixed(0);
    const generated = [...runs.ours, ...runs.peer].map((one) => one.cpuMicros / one.requests);
    return {
      rows: [
        row('cached read, throughput', 'requests/s', {
          ...pick(runs, ({ perSecond }) => perSecond),
          goal: { least: 0.8 },
          cpu: `gateway ${cpu('ours', 0)} + Redis ${cpu('ours', 1)}; Express ${cpu('peer', 0)}`,
        }),
        row('cached read, p99', 'ms', { ...pick(runs, ({ p99Ms }) => p99Ms), goal: { most: 1.5 } }),
      ],
      notes: [
        `${CONNECTIONS} keep-alive connections, ${ACCOUNTS} paid keys in turn, ${VIDEOS} transcripts of ${warm.body?.length ?? 0} bytes in the mean; one body in ${SAMPLE_EVERY} hashed and compared on both sides.`,
        `The load generator used ${median(generated).toFixed(0)} µs of CPU per request, in a process of its own.`,
        note,
        features,
      ],
    };
  },
};
