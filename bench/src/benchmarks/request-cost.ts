import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { loadVideoId } from '@tds/platform-simulator';
import type { Benchmark, Row } from '../benchmark.ts';
import { seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { type CpuMeter, createCpuMeter } from '../support/cpu-meter.ts';
import { type DocumentRequest, documentRequests, readDocument } from '../support/document-requests.ts';
import { row } from '../support/measure.ts';
import { sum } from '../support/statistics.ts';

/** Enough for CPU ticks not to matter; few enough for a paid key's minute. */
const TIMES = 20;
const WARM_UP = 5;
const CREDITS = 10_000;
const JOB_ROWS = 100;
const JOB_WITHIN_MS = 120_000;
const MICROS_PER_MS = 1_000;
/** Of a request that costs no credit: a tenth of a second of one core, all processes together. */
const MOST_MS = 100;

type Sender = (request: DocumentRequest) => Promise<{ readonly charged: number; readonly status: number }>;

const senderOf =
  (port: number, key: string): Sender =>
  async ({ method, target, body }) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`http://127.0.0.1:${port}${target}`, { method, headers, body });
    await answer.arrayBuffer();
    return { status: answer.status, charged: Number(answer.headers.get('x-credits-charged') ?? 0) };
  };

/** Creates a job with complete rows, for the routes that read them. */
const makeJob = async (port: number, key: string): Promise<string> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const video_ids = Array.from({ length: JOB_ROWS }, (_, at) => loadVideoId(at + 1));
  const jobs = `http://127.0.0.1:${port}/v1/jobs`;
  const begun = await fetch(jobs, { method: 'POST', headers, body: JSON.stringify({ video_ids }) });
  const { job } = (await begun.json()) as { job: { id: string } };
  for (const endsAt = performance.now() + JOB_WITHIN_MS; performance.now() < endsAt; await delay(500)) {
    const { job: now } = (await (await fetch(`${jobs}/${job.id}`, { headers })).json()) as {
      job: { status: string };
    };
    if (now.status === 'completed') return job.id;
  }
  throw new Error('the job did not end');
};

const measureRequest = async (meter: CpuMeter, send: Sender, request: DocumentRequest): Promise<Row> => {
  for (let time = 0; time < WARM_UP; time += 1) await send(request);
  const { result, cpu } = await meter.during(async () => {
    const answers = [];
    for (let time = 0; time < TIMES; time += 1) answers.push(await send(request));
    return answers;
  });
  const isFree = result.every(({ charged }) => charged === 0);
  const statuses = [...new Set(result.map(({ status }) => status))].join('/');
  const perRequest = Object.entries(cpu).map(([name, micros]) => [name, micros / TIMES] as const);
  return row(`${request.name} (${statuses}${isFree ? '' : ', charged'})`, 'ms', {
    ours: [sum(perRequest.map(([, micros]) => micros)) / MICROS_PER_MS],
    goal: isFree ? { most: MOST_MS } : null,
    cpu: perRequest.map(([name, micros]) => `${name} ${micros.toFixed(0)}`).join(' + '),
  });
};

export const requestCost: Benchmark = {
  name: 'request-cost',
  title: 'CPU per request, over all that a key may ask for',
  run: async (bench) => {
    await using system = await startBenchSystem(bench, { more: ['search', 'bulk-orchestrator', 'archiver'] });
    const [id, keyId, sessionId, deliveryId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const ids = { id, keyId, sessionId, deliveryId, videoId: loadVideoId(1) };
    const requests = documentRequests(readDocument(), ids);
    const accounts = await seedAccounts(await bench.servers(), 'paid', requests.length, CREDITS);
    const meter = await createCpuMeter(bench, system);
    const rows: Row[] = [];
    // Each request has a key and a job of its own, so that none meets a limit or an earlier result.
    for (const [at, { key }] of accounts.entries()) {
      const { target, ...request } = requests[at] as DocumentRequest;
      const own = target.includes(id) ? target.replace(id, await makeJob(system.port, key)) : target;
      rows.push(await measureRequest(meter, senderOf(system.port, key), { ...request, target: own }));
    }
    return {
      rows: rows.toSorted((one, other) => (other.ours[0] ?? 0) - (one.ours[0] ?? 0)),
      notes: [
        `${requests.length} requests from docs/generated/openapi.json, ${TIMES} times each after ${WARM_UP}: CPU of gateway, services, Postgres, NATS and Redis together, beyond that of the idle system; the platform's simulator is not counted.`,
        `Routes of jobs read one of ${JOB_ROWS} rows. Billing and webhooks do not run: their routes end at the gateway with 503.`,
      ],
    };
  },
};
