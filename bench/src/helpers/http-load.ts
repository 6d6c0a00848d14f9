import { createHash } from 'node:crypto';
import { serveHelper } from '../support/helper.ts';
import { getRequest, type HttpConnection, openConnection } from '../support/http-connection.ts';
import { percentile } from '../support/statistics.ts';

export type LoadRequest = { readonly target: string; readonly key?: string };

export type LoadOptions = {
  readonly port: number;
  readonly connections: number;
  /** Sent one after the other over all connections, and again from the start until the time is over. */
  readonly requests: readonly LoadRequest[];
  /** Without it every request is sent once. */
  readonly seconds?: number | undefined;
  readonly status: number;
  /** Each n-th body is hashed and compared. */
  readonly sampleEvery: number;
  /** SHA-256 of the body, by target; without it bodies are not compared. */
  readonly expected?: Readonly<Record<string, string>>;
};

export type LoadResult = {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly latenciesMs: Float64Array;
  /** Answers with another status, by status. */
  readonly otherStatuses: Readonly<Record<string, number>>;
  readonly sampled: number;
  readonly wrongBodies: number;
  /** Hashes of the sampled bodies by target, if no hashes were expected. */
  readonly hashes: Readonly<Record<string, string>>;
  readonly cpuMicros: number;
};

const MICROSECONDS = 1_000_000;

const createTally = ({ expected, status: wanted }: LoadOptions) => {
  const latencies: number[] = [];
  const otherStatuses: Record<string, number> = {};
  const hashes: Record<string, string> = {};
  const checks = { sampled: 0, wrongBodies: 0 };
  return {
    latencies,
    otherStatuses,
    hashes,
    checks,
    add: (target: string, status: number, body: Buffer | null, ms: number): void => {
      latencies.push(ms);
      if (status !== wanted) otherStatuses[status] = (otherStatuses[status] ?? 0) + 1;
      if (body === null) return;
      const hash = createHash('sha256').update(body).digest('hex');
      checks.sampled += 1;
      if (expected === undefined) hashes[target] = hash;
      else if (expected[target] !== hash) checks.wrongBodies += 1;
    },
  };
};

const load = async (options: LoadOptions): Promise<LoadResult> => {
  const { port, connections, sampleEvery, seconds } = options;
  const requests = options.requests.map(({ target, key }) => ({
    target,
    text: getRequest(port, target, key),
  }));
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
  const tally = createTally(options);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const endAt = seconds === undefined ? Number.POSITIVE_INFINITY : startedAt + seconds * 1_000;
  let sent = 0;
  const drive = async (connection: HttpConnection): Promise<void> => {
    for (let at = startedAt; at < endAt && (seconds !== undefined || sent < requests.length); ) {
      const { target, text } = requests[sent % requests.length] as (typeof requests)[number];
      const keepBody = sent % sampleEvery === 0;
      sent += 1;
      const { status, body } = await connection.send(text, keepBody);
      const answeredAt = performance.now();
      tally.add(target, status, body, answeredAt - at);
      at = answeredAt;
    }
  };
  await Promise.all(open.map(drive));
  const elapsedMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  for (const connection of open) connection.close();
  const { latencies, otherStatuses, hashes, checks } = tally;
  return {
    requests: latencies.length,
    perSecond: (latencies.length / elapsedMs) * (MICROSECONDS / 1_000),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    latenciesMs: Float64Array.from(latencies),
    otherStatuses,
    hashes,
    ...checks,
    cpuMicros: user + system,
  };
};

serveHelper({ load });
