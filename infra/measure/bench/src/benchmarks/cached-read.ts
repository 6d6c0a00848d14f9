import { readFile } from 'node:fs/promises';
import { loadVideoId } from '@tds/simulators/platform';
import { type Benchmark, measure, pick, sum } from '../benchmark.ts';
import type { BareBodies } from '../helpers/bare-server.ts';
import { seedAccounts } from '../support/accounts.ts';
import { type BenchSystem, startBenchSystem } from '../support/bench-system.ts';
import { onOwnCore } from '../support/cores.ts';
import { startHelper } from '../support/helper.ts';
import {
  fetchOnce,
  type HttpAnswer,
  headersOf,
  isRefusal,
  sha256,
  withWrongChecksum,
} from '../support/http-connection.ts';
import { cpuRow, keysFor, OK, sendLoad, throughput } from '../support/load.ts';
import { readMetric } from '../support/service-process.ts';

const VIDEOS = 16;
const CONNECTIONS = 32;
const SAMPLE_EVERY = 100;
/** 25 µs where Express takes 20. */
const MAX_CPU = 1.25;

const videoIds = Array.from({ length: VIDEOS }, (_, index) => loadVideoId(index + 1));
const targetOf = (videoId: string): string => `/v1/transcript?video_id=${videoId}`;
/** Headers that Node adds on both sides. */
const nodesOwn = new Set(['Date', 'Connection', 'Keep-Alive', 'Content-Length']);

/** Makes each transcript warm, and returns the last answer and what the peer has to answer. */
const readAll = async (port: number, key: string): Promise<{ warm: HttpAnswer; peer: BareBodies }> => {
  const answers: HttpAnswer[] = [];
  for (const id of videoIds) {
    await fetchOnce(port, targetOf(id), key);
    answers.push(await fetchOnce(port, targetOf(id), key));
  }
  const warm = answers.at(-1) as HttpAnswer;
  const headers = Object.entries(headersOf(warm)).filter(([name]) => !nodesOwn.has(name));
  const bodies = answers.map(({ body }, index) => [videoIds[index], body]);
  return { warm, peer: { bodies: Object.fromEntries(bodies), headers: Object.fromEntries(headers) } };
};

/** Throws if the gateway left out a promised feature during the run; returns those that it saw. */
const checkFeatures = async (
  { port, gateway }: BenchSystem,
  { key, warm, requests }: { key: string; warm: HttpAnswer; requests: number },
): Promise<string> => {
  const target = targetOf(videoIds[0] ?? '');
  const [headers, second] = [headersOf(warm), headersOf(await fetchOnce(port, target, key))];
  const labels = 'route="getTranscript",method="GET",status="200"';
  const counted = await readMetric(gateway, 'tds_http_request_duration_seconds_count', labels);
  const recorded = (await readFile(gateway.logFile, 'latin1')).split('"kind":"http"').length - 1;
  const features = {
    'key required': isRefusal(await fetchOnce(port, target)),
    'key checked': isRefusal(await fetchOnce(port, target, withWrongChecksum(key))),
    'rate limit': headers['X-RateLimit-Limit'] === '300',
    balance: Number(headers['X-Credits-Balance']) > 0,
    'credits charged': headers['X-Credits-Charged'] === '0',
    'cache outcome': headers['X-Cache'] === 'HIT',
    'request id of its own': second['X-Request-Id'] !== headers['X-Request-Id'],
    'security headers': headers['X-Content-Type-Options'] === 'nosniff',
    [`metrics (${counted} measurements)`]: counted >= requests,
    [`one record per request (${recorded})`]: recorded >= counted,
  };
  const missing = Object.entries(features).filter(([, isActive]) => !isActive);
  if (missing.length > 0) throw new Error(`not active: ${missing.map(([name]) => name).join(', ')}`);
  return `Active on our side and asserted: ${Object.keys(features).join(', ')}.`;
};

export const benchmark: Benchmark = {
  title: 'Cached transcript read with the full contract, against a bare Express 5 handler',
  run: async (bench) => {
    await using system = await startBenchSystem(bench);
    await using express = await startHelper('bare-server');
    await using generator = await startHelper('http-load');
    const accounts = await seedAccounts(bench.servers, 'paid', keysFor(bench));
    const { port, gateway } = system;
    const key = accounts[0]?.key ?? '';
    const { warm, peer: bare } = await readAll(port, key);
    const expressPort = await express.ask<number>('bodies', bare);
    const requests = accounts.map((account, index) => ({
      target: targetOf(videoIds[index % VIDEOS] ?? ''),
      key: account.key,
    }));
    const hashes = Object.entries(bare.bodies).map(([id, body]) => [targetOf(id), sha256(body)]);
    const expected = Object.fromEntries(hashes);
    const load = { connections: CONNECTIONS, requests, status: OK, sampleEvery: SAMPLE_EVERY, expected };
    const pids = { gateway: gateway.pid, Redis: bench.servers.redis.pid };
    const ours = (seconds?: number) => sendLoad(generator, pids, { ...load, port, seconds });
    const peer = (seconds: number) =>
      sendLoad(generator, { Express: express.pid }, { ...load, port: expressPort, seconds });
    // The first request of each key makes the gateway ask identity and the ledger.
    await ours();
    const { result: runs, note } = await onOwnCore([gateway.pid, express.pid], () =>
      measure(bench, { ours, peer, warmUp: true }),
    );
    const requestCount = sum(runs.ours.map((one) => one.requests));
    const features = await checkFeatures(system, { key, warm, requests: requestCount });
    return {
      rows: [
        throughput('cached read, throughput', runs, null),
        cpuRow('cached read, CPU of a request', runs, ['gateway', 'Express'], MAX_CPU),
        {
          ...{ path: 'cached read, p99', unit: 'ms', goal: { max: 1.5 } },
          ...pick(runs, ({ p99Ms }) => p99Ms),
        },
      ],
      notes: [
        `${CONNECTIONS} keep-alive connections, ${accounts.length} paid keys in turn, ${VIDEOS} transcripts of ${warm.body?.length ?? 0} bytes in the mean; one body in ${SAMPLE_EVERY} hashed and compared on both sides.`,
        note,
        features,
      ],
    };
  },
};
