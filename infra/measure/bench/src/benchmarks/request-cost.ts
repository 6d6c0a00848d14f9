import { randomUUID } from 'node:crypto';
import { startPaymentSimulator } from '@tds/simulators/payment';
import { loadVideoId } from '@tds/simulators/platform';
import { type Benchmark, type Row, repeat, sum } from '../benchmark.ts';
import { seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { type CpuMeter, cpuText, createCpuMeter } from '../support/cpu-meter.ts';
import { until } from '../support/databases.ts';
import { type DocumentRequest, documentRequests, readDocument } from '../support/document-requests.ts';

/** Enough for CPU ticks not to matter; few enough for a paid key's minute. */
const TIMES = 8;
const WARM_UP = 3;
const CREDITS = 10_000;
const JOB_ROWS = 100;
/** With those that answer a transcript, all services that a route may ask. */
const BEHIND = 'search bulk-orchestrator archiver billing monitor-scheduler webhook-dispatcher'.split(' ');
/** Requests whose work one service does: once for each of many customers. */
const OF_MANY = ['searchPage', 'getAccount', 'checkout'].map((name) => `${name}, as it should be`);
const CUSTOMERS = 100;
const COMPLETE = { everyMs: 250, withinMs: 120_000 };
const MICROS_PER_MS = 1_000;
/** Of a request that costs no credit: a tenth of a second of one core, all processes together. */
const MAX_MS = 100;

/** The largest of the site and of the documents, as a browser gets them. */
const pages = '/ /docs/errors /reference/bulk-jobs /status /v1/openapi.json'
  .split(' ')
  .map((target) => ({ name: `the page ${target}`, method: 'GET', target, body: null }));

type Sender = (request: Omit<DocumentRequest, 'name'>) => Promise<Response>;

const createSender =
  (port: number, key: string): Sender =>
  ({ method, target, body }) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return fetch(`http://127.0.0.1:${port}${target}`, { method, headers, body });
  };

/** Creates a job with complete rows, for the routes that read them. */
const makeJob = async (send: Sender): Promise<string> => {
  type JobAnswer = { readonly job: { readonly id: string; readonly status: string } };
  const body = JSON.stringify({
    video_ids: Array.from({ length: JOB_ROWS }, (_, at) => loadVideoId(at + 1)),
  });
  const created = (await (await send({ method: 'POST', target: '/v1/jobs', body })).json()) as JobAnswer;
  const target = `/v1/jobs/${created.job.id}`;
  await until(async () => {
    const { job } = (await (await send({ method: 'GET', target, body: null })).json()) as JobAnswer;
    return job?.status === 'completed' ? null : `the job is ${job?.status}`;
  }, COMPLETE);
  return created.job.id;
};

/** One request of each sender; the first of them warm up. */
const measureRequest = async (meter: CpuMeter, senders: readonly Sender[], request: DocumentRequest) => {
  const remaining = [...senders];
  const once = async () => {
    const answer = await (remaining.shift() as Sender)(request);
    await answer.arrayBuffer();
    return { status: answer.status, isFree: Number(answer.headers.get('x-credits-charged') ?? 0) === 0 };
  };
  await repeat(WARM_UP, once);
  const { result, cpu } = await meter.during(() => repeat(remaining.length, once));
  const isFree = result.every((answer) => answer.isFree);
  const statuses = [...new Set(result.map(({ status }) => status))].join('/');
  return {
    ...{ path: `${request.name} (${statuses}${isFree ? '' : ', charged'})`, unit: 'ms' },
    ours: [sum(Object.values(cpu)) / result.length / MICROS_PER_MS],
    goal: isFree ? { max: MAX_MS } : null,
    cpu: cpuText(cpu, result.length),
  } satisfies Row;
};

export const benchmark: Benchmark = {
  title: 'CPU per request, over all that a key may ask for',
  run: async (bench) => {
    await using parts = new AsyncDisposableStack();
    const payments = parts.adopt(await startPaymentSimulator(), ({ close }) => close());
    const settings = { billing: { STRIPE_API_ORIGIN: payments.origin } };
    await using system = await startBenchSystem(bench, { extraServices: BEHIND, settings });
    const [id, keyId, sessionId, deliveryId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const ids = { id, keyId, sessionId, deliveryId, requestId: randomUUID(), videoId: loadVideoId(1) };
    const requests = [...documentRequests(readDocument(), ids), ...pages];
    const accounts = await seedAccounts(bench.servers, 'paid', requests.length, CREDITS);
    const meter = await createCpuMeter(bench, system);
    const rows: Row[] = [];
    // Each request has a key and a job of its own, so that none meets a limit or an earlier result.
    for (const [at, { key }] of accounts.entries()) {
      const { target, ...request } = requests[at] as DocumentRequest;
      const send = createSender(system.port, key);
      const ownTarget = target.includes(id) ? target.replace(id, await makeJob(send)) : target;
      const senders = Array.from({ length: WARM_UP + TIMES }, () => send);
      rows.push(await measureRequest(meter, senders, { ...request, target: ownTarget }));
    }
    for (const request of requests.filter(({ name }) => OF_MANY.includes(name))) {
      const customers = await seedAccounts(bench.servers, 'paid', WARM_UP + CUSTOMERS, CREDITS);
      const senders = customers.map(({ key }) => createSender(system.port, key));
      const name = `${request.name}, of ${CUSTOMERS} customers`;
      rows.push(await measureRequest(meter, senders, { ...request, name }));
    }
    return {
      rows: rows.toSorted((one, other) => (other.ours[0] ?? 0) - (one.ours[0] ?? 0)),
      notes: [
        `${requests.length} requests, from docs/generated/openapi.json and of pages, ${TIMES} times each after ${WARM_UP}: CPU of gateway, services, Postgres, NATS and Redis together, beyond that of the idle system; the platform's simulator is not counted.`,
        `Routes of jobs read one of ${JOB_ROWS} rows.`,
      ],
    };
  },
};
