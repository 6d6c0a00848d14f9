import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { type Bench, type Benchmark, percentile, type Row } from '../benchmark.ts';
import { type Account, seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { queryAs, until } from '../support/databases.ts';
import { pace } from '../support/drive.ts';
import { createVideos } from '../support/load.ts';
import { type Payment, seedPayments, signedHeaders } from '../support/payments.ts';

const CORES = availableParallelism();
const LOOPS = 2 * CORES;
const PART_OF_CAPACITY = 1 / 4;
const ACCOUNTS = 100;
const JOB_ROWS = 50;
const WARM_UP = 5;
const CREDITS = 10_000;
const LATENCY_MS = 50;
const MS = 1_000;
const UNAVAILABLE = 503;
const ENDED = { everyMs: 500, withinMs: 120_000 };

/** A kind of requests with the CPU that one takes on all processes, in ms, as once measured. */
type Kind = {
  readonly name: string;
  readonly cpuMs: number;
  readonly send: (n: number) => Promise<Response>;
};

/** Processes that take as much CPU as they get. */
const startLoops = (): Disposable => {
  const loops = Array.from({ length: LOOPS }, () => spawn(process.execPath, ['-e', 'for (;;);']));
  return { [Symbol.dispose]: () => loops.forEach((loop) => void loop.kill('SIGKILL')) };
};

const startReceiver = async (): Promise<{ readonly url: string } & Disposable> => {
  const server = createServer(
    (request, response) => void request.resume().on('end', () => response.end('ok')),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return { url, [Symbol.dispose]: () => void server.close() };
};

const measureKind = async (bench: Bench, { name, cpuMs, send }: Kind): Promise<Row[]> => {
  const perSecond = (PART_OF_CAPACITY * CORES * MS) / cpuMs;
  const took: number[] = [];
  let unavailable = 0;
  const answers: Record<string, number> = {};
  await pace({ count: Math.ceil(perSecond * bench.seconds), perSecond }, async (n) => {
    const startedAt = performance.now();
    const answer = await send(n);
    const body = await answer.text();
    took.push(performance.now() - startedAt);
    if (answer.status === UNAVAILABLE) unavailable += 1;
    const kind = answer.ok ? answer.status : `${answer.status} ${JSON.parse(body).code}`;
    answers[kind] = (answers[kind] ?? 0) + 1;
  });
  bench.say(`  ${name}: ${perSecond.toFixed(0)} a second, answered ${JSON.stringify(answers)}`);
  return [
    { path: `${name}, answers of 503`, unit: '', ours: [unavailable], goal: { most: 0 } },
    { path: `${name}, p99`, unit: 'ms', ours: [percentile(took, 0.99)] },
  ];
};

const noJobRuns = async (bench: Bench): Promise<string | null> => {
  const running = `SELECT FROM jobs WHERE status NOT IN ('completed', 'failed', 'cancelled')`;
  const left = await queryAs(bench.servers, 'bulk-orchestrator', running);
  return left.length === 0 ? null : `${left.length} jobs have not ended`;
};

/** Four kinds of requests, of accounts whose webhooks have this receiver. */
const createKinds = async (bench: Bench, port: number, receiverUrl: string): Promise<Kind[]> => {
  const accounts = await seedAccounts(bench.servers, 'paid', ACCOUNTS, CREDITS);
  const payments = await seedPayments(
    bench.servers,
    await seedAccounts(bench.servers, 'free', ACCOUNTS * bench.seconds),
  );
  const take = createVideos('busy');
  const origin = `http://127.0.0.1:${port}`;
  const call = (n: number, method: string, path: string, body?: unknown): Promise<Response> => {
    const { key } = accounts[n % ACCOUNTS] as Account;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return fetch(`${origin}${path}`, { method, headers, body: body ? JSON.stringify(body) : null });
  };
  const pay = (n: number): Promise<Response> => {
    const { event } = payments[n] as Payment;
    const headers = signedHeaders(bench.servers, event);
    return fetch(`${origin}/v1/billing/payment`, { method: 'POST', headers, body: event });
  };
  const read = (n: number) => call(n, 'GET', `/v1/transcript?video_id=${take(1)[0]}&raw=1`);
  const begin = (n: number) => call(n, 'POST', '/v1/jobs', { video_ids: take(JOB_ROWS) });
  for (const n of accounts.keys()) await call(n, 'PUT', '/v1/webhooks', { url: receiverUrl });
  const kinds = [
    { name: 'purchases', cpuMs: 7.4, send: pay },
    { name: 'webhooks', cpuMs: 5, send: (n: number) => call(n, 'POST', '/v1/webhooks/test') },
    { name: 'cold reads', cpuMs: 12, send: read },
    { name: `jobs of ${JOB_ROWS} cold rows`, cpuMs: 5 * JOB_ROWS, send: begin },
  ];
  // Compiles the code.
  for (const { send } of kinds) for (let n = 0; n < WARM_UP; n += 1) await (await send(n)).arrayBuffer();
  return kinds;
};

export const benchmark: Benchmark = {
  title: 'Beside busy loops: requests at a quarter of the capacity are slow, and never 503',
  run: async (bench) => {
    await using system = await startBenchSystem(bench, {
      more: ['bulk-orchestrator', 'webhook-dispatcher', 'billing'],
      settings: { 'webhook-dispatcher': { NODE_ENV: '', WEBHOOK_LOCAL_RECEIVERS: '1' } },
    });
    using receiver = await startReceiver();
    const kinds = await createKinds(bench, system.port, receiver.url);
    await system.platform.ask('setLatency', LATENCY_MS);
    using _loops = startLoops();
    const rows: Row[] = [];
    for (const kind of kinds) rows.push(...(await measureKind(bench, kind)));
    await until(() => noJobRuns(bench), ENDED);
    return {
      rows,
      notes: [
        `${LOOPS} busy loops on ${CORES} cores, and ${bench.seconds} s of each kind of requests at a quarter of the rate that all cores would take; the platform takes ${LATENCY_MS} ms over an answer. All jobs end.`,
      ],
    };
  },
};
