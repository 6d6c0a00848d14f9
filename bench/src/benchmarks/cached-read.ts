import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { loadVideoId } from '@tds/platform-simulator';
import type { Bench, Benchmark, Outcome } from '../benchmark.ts';
import type { BareExpressOptions } from '../helpers/bare-express.ts';
import type { LoadOptions, LoadRequest, LoadResult } from '../helpers/http-load.ts';
import { type Account, seedAccounts } from '../support/accounts.ts';
import { type BenchSystem, startBenchSystem } from '../support/bench-system.ts';
import { onOwnCore } from '../support/cores.ts';
import { assertFeatures } from '../support/features.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { fetchOnce, type HttpAnswer } from '../support/http-connection.ts';
import { cpuMicros } from '../support/procfs.ts';
import { interleave } from '../support/rounds.ts';
import { readMetric } from '../support/service-process.ts';
import { median } from '../support/statistics.ts';

/** Paid keys may ask 300 times in any minute: this many allow 20,000 requests per second without a refusal. */
const ACCOUNTS = 4_000;
const VIDEOS = 16;
const CONNECTIONS = 32;
const SAMPLE_EVERY = 100;
const WARM_UP_SECONDS = 3;
const OK = 200;
const UNAUTHORIZED = 401;
const FORBIDDEN = 403;

const videoIds = Array.from({ length: VIDEOS }, (_, index) => loadVideoId(index + 1));
const targetOf = (videoId: string): string => `/v1/transcript?video_id=${videoId}`;

type Measured = { readonly load: LoadResult; readonly cpu: readonly number[] };

type Stage = {
  readonly system: BenchSystem;
  readonly redisPid: number;
  readonly generator: Helper;
  readonly express: Helper;
  readonly expressPort: number;
  readonly load: Omit<LoadOptions, 'port' | 'seconds'>;
};

const headersOf = ({ head }: HttpAnswer): Record<string, string> =>
  Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );

const isRefusal = ({ status }: HttpAnswer): boolean => status === UNAUTHORIZED || status === FORBIDDEN;

/** What Node adds by itself on both sides. */
const nodesOwn = new Set(['Date', 'Connection', 'Keep-Alive', 'Content-Length']);

const measure = async (
  { generator, load }: Stage,
  { port, pids, seconds }: { port: number; pids: readonly number[]; seconds?: number | undefined },
): Promise<Measured> => {
  const before = pids.map((pid) => cpuMicros([pid]));
  const result = await generator.ask<LoadResult>('load', {
    ...load,
    port,
    ...(seconds === undefined ? {} : { seconds }),
  });
  const cpu = pids.map((pid, index) => (cpuMicros([pid]) - (before[index] ?? 0)) / result.requests);
  const others = Object.keys(result.otherStatuses);
  if (others.length > 0 || result.wrongBodies > 0) {
    throw new Error(
      `answers that are wrong: ${JSON.stringify(result.otherStatuses)}, ${result.wrongBodies} bodies`,
    );
  }
  return { load: result, cpu };
};

const openStage = async (
  bench: Bench,
  system: BenchSystem,
  accounts: readonly Account[],
): Promise<{ stage: Stage; warm: HttpAnswer }> => {
  const [first] = accounts;
  if (!first) throw new Error('there are no accounts');
  const bodies: Record<string, Buffer> = {};
  const expected: Record<string, string> = {};
  let warm: HttpAnswer | undefined;
  for (const id of videoIds) {
    await fetchOnce(system.port, targetOf(id), first.key);
    warm = await fetchOnce(system.port, targetOf(id), first.key);
    const body = warm.body ?? Buffer.alloc(0);
    bodies[id] = body;
    expected[targetOf(id)] = createHash('sha256').update(body).digest('hex');
  }
  if (!warm) throw new Error('there are no videos');
  const headers = Object.fromEntries(Object.entries(headersOf(warm)).filter(([name]) => !nodesOwn.has(name)));
  const [express, generator] = await Promise.all([startHelper('bare-express'), startHelper('http-load')]);
  const expressPort = await express.ask<number>('listen', { bodies, headers } satisfies BareExpressOptions);
  const requests: LoadRequest[] = accounts.map(({ key }, index) => ({
    target: targetOf(videoIds[index % VIDEOS] ?? ''),
    key,
  }));
  const load = { connections: CONNECTIONS, requests, status: OK, sampleEvery: SAMPLE_EVERY, expected };
  const redisPid = (await bench.servers()).redis.pid;
  return { stage: { system, redisPid, generator, express, expressPort, load }, warm };
};

/** Checks after the run that nothing was left out on the way. */
const checkFeatures = async (
  { system }: Stage,
  { accounts, warm, ownRequests }: { accounts: readonly Account[]; warm: HttpAnswer; ownRequests: number },
): Promise<string> => {
  const [gateway] = system.gateways;
  const [first] = accounts;
  if (!gateway || !first) throw new Error('there is no gateway');
  const target = targetOf(videoIds[0] ?? '');
  const again = headersOf(await fetchOnce(system.port, target, first.key));
  const headers = headersOf(warm);
  const withoutKey = await fetchOnce(system.port, target);
  const wrongKey = await fetchOnce(
    system.port,
    target,
    `${first.key.slice(0, -1)}${first.key.endsWith('a') ? 'b' : 'a'}`,
  );
  const counted = await readMetric(
    gateway,
    'tds_http_request_duration_seconds_count',
    'route="getTranscript",method="GET",status="200"',
  );
  const recorded = (await readFile(gateway.logFile, 'latin1')).split('"kind":"http"').length - 1;
  return assertFeatures([
    { name: 'key required', isActive: isRefusal(withoutKey) },
    { name: 'key checked', isActive: isRefusal(wrongKey) },
    { name: 'rate limit', isActive: headers['X-RateLimit-Limit'] === '300' },
    { name: 'balance', isActive: Number(headers['X-Credits-Balance']) > 0 },
    { name: 'credits charged', isActive: headers['X-Credits-Charged'] === '0' },
    { name: 'cache outcome', isActive: headers['X-Cache'] === 'HIT' },
    { name: 'request id of its own', isActive: again['X-Request-Id'] !== headers['X-Request-Id'] },
    { name: 'security headers', isActive: headers['X-Content-Type-Options'] === 'nosniff' },
    { name: `metrics (${counted} measurements)`, isActive: counted >= ownRequests },
    { name: `one record per request (${recorded})`, isActive: recorded >= counted },
  ]);
};

const outcome = (
  runs: { ours: Measured[]; peer: Measured[] },
  { notes, bytes }: { notes: readonly string[]; bytes: number },
): Outcome => {
  const { ours, peer } = runs;
  const cpuAt = (side: readonly Measured[], index: number) =>
    median(side.map(({ cpu }) => cpu[index] ?? 0)).toFixed(0);
  const generators = [...ours, ...peer].map(({ load }) => load.cpuMicros / load.requests);
  const figures = (side: readonly Measured[], of: (load: LoadResult) => number) =>
    side.map(({ load }) => of(load));
  return {
    rows: [
      {
        path: 'cached read, throughput',
        unit: 'requests/s',
        ours: figures(ours, ({ perSecond }) => perSecond),
        peer: figures(peer, ({ perSecond }) => perSecond),
        goal: { least: 0.8 },
        cpu: `gateway ${cpuAt(ours, 0)} + Redis ${cpuAt(ours, 1)}; Express ${cpuAt(peer, 0)}`,
      },
      {
        path: 'cached read, p99',
        unit: 'ms',
        ours: figures(ours, ({ p99Ms }) => p99Ms),
        peer: figures(peer, ({ p99Ms }) => p99Ms),
        goal: { most: 1.5 },
      },
    ],
    notes: [
      `${CONNECTIONS} keep-alive connections, ${ACCOUNTS} paid keys in turn, ${VIDEOS} transcripts of ${bytes} bytes in the mean; one body in ${SAMPLE_EVERY} hashed and compared on both sides.`,
      `The load generator used ${median(generators).toFixed(0)} µs of CPU per request, in a process of its own.`,
      ...notes,
    ],
  };
};

const run = async (bench: Bench): Promise<Outcome> => {
  const system = await startBenchSystem(bench);
  const helpers: Helper[] = [];
  try {
    const accounts = await seedAccounts(await bench.servers(), 'paid', ACCOUNTS);
    const { stage, warm } = await openStage(bench, system, accounts);
    helpers.push(stage.express, stage.generator);
    const gatewayPid = system.gateways[0]?.pid ?? 0;
    const gatewayPids = [gatewayPid, stage.redisPid];
    const ours = (seconds?: number) => measure(stage, { port: system.port, pids: gatewayPids, seconds });
    const peer = (seconds: number) =>
      measure(stage, { port: stage.expressPort, pids: [stage.express.pid], seconds });
    // Every key once, which asks identity and the ledger for it.
    await ours();
    await ours(WARM_UP_SECONDS);
    await peer(WARM_UP_SECONDS);
    const { result: runs, note } = await onOwnCore([gatewayPid, stage.express.pid], () =>
      interleave(bench.rounds, { ours: () => ours(bench.seconds), peer: () => peer(bench.seconds) }),
    );
    const ownRequests = runs.ours.reduce((total, { load }) => total + load.requests, 0);
    const features = await checkFeatures(stage, { accounts, warm, ownRequests });
    return outcome(runs, { notes: [note, features], bytes: Math.round(warm.body?.length ?? 0) });
  } finally {
    for (const helper of helpers) await helper.stop();
    await system.stop();
  }
};

export const cachedRead: Benchmark = {
  name: 'cached-read',
  title: 'Cached transcript read with the full contract, against a bare Express 5 handler',
  run,
};
