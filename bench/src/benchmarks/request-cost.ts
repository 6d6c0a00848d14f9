import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { loadVideoId } from '@tds/platform-simulator';
import type { Bench, Benchmark, Outcome, Row } from '../benchmark.ts';
import { seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { type CpuMeter, createCpuMeter } from '../support/cpu-meter.ts';
import { type Asked, documentRequests, readDocument } from '../support/document-requests.ts';
import { sum } from '../support/statistics.ts';

/** So many that the tenths of a second in which the system counts are no matter; within a minute of a paid key. */
const TIMES = 20;
const WARM_UP = 5;
const CREDITS = 10_000;
const JOB_ROWS = 100;
const JOB_WITHIN_MS = 120_000;
const MICROS_PER_MS = 1_000;
/** Of a request that costs no credit: a tenth of a second of one core, all processes together. */
const MOST_MS = 100;

type Sender = (asked: Asked) => Promise<{ readonly charged: number; readonly status: number }>;

const senderOf =
  (port: number, key: string): Sender =>
  async ({ method, target, body }) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`http://127.0.0.1:${port}${target}`, { method, headers, body });
    await answer.arrayBuffer();
    return { status: answer.status, charged: Number(answer.headers.get('x-credits-charged') ?? 0) };
  };

/** A job whose rows are there, so that what is made of them can be asked for. */
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
  throw new Error('the job has not ended');
};

const measure = async (meter: CpuMeter, send: Sender, asked: Asked): Promise<Row> => {
  for (let time = 0; time < WARM_UP; time += 1) await send(asked);
  const { result, cpu } = await meter.during(async () => {
    const answers = [];
    for (let time = 0; time < TIMES; time += 1) answers.push(await send(asked));
    return answers;
  });
  const isFree = result.every(({ charged }) => charged === 0);
  const statuses = [...new Set(result.map(({ status }) => status))].join('/');
  const perRequest = Object.entries(cpu).map(([name, micros]) => [name, micros / TIMES] as const);
  return {
    path: `${asked.name} (${statuses}${isFree ? '' : ', charged'})`,
    unit: 'ms',
    ours: [sum(perRequest.map(([, micros]) => micros)) / MICROS_PER_MS],
    peer: null,
    goal: isFree ? { most: MOST_MS } : null,
    cpu: perRequest.map(([name, micros]) => `${name} ${micros.toFixed(0)}`).join(' + '),
  };
};

const run = async (bench: Bench): Promise<Outcome> => {
  const system = await startBenchSystem(bench, 1, ['search', 'bulk-orchestrator', 'archiver']);
  try {
    const servers = await bench.servers();
    const [id, keyId, sessionId, deliveryId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const ids = { id, keyId, sessionId, deliveryId, videoId: loadVideoId(1) };
    const requests = documentRequests(readDocument(), ids);
    const accounts = await seedAccounts(servers, 'paid', requests.length, CREDITS);
    const meter = await createCpuMeter(bench, system);
    const rows: Row[] = [];
    // Each is asked with a key of its own, about a job of its own, so that no limit is met and nothing is there before.
    for (const [at, { key }] of accounts.entries()) {
      const { target, ...asked } = requests[at] as Asked;
      const own = target.includes(id) ? target.replace(id, await makeJob(system.port, key)) : target;
      rows.push(await measure(meter, senderOf(system.port, key), { ...asked, target: own }));
    }
    return {
      rows: rows.toSorted((one, other) => (other.ours[0] ?? 0) - (one.ours[0] ?? 0)),
      notes: [
        `${requests.length} requests from docs/generated/openapi.json, ${TIMES} times each after ${WARM_UP}: CPU of gateway, services, Postgres, NATS and Redis together, without what they take idle; the platform's simulator is not counted.`,
        `Routes of jobs are asked about one of ${JOB_ROWS} rows. Billing and webhooks are not started: their routes end at the gateway with 503.`,
      ],
    };
  } finally {
    await system.stop();
  }
};

export const requestCost: Benchmark = {
  name: 'request-cost',
  title: 'CPU per request, over all that a key may ask for',
  run,
};
