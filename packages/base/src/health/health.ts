import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withDeadline } from '../async/deadline.ts';
import { redactText } from '../log/redact.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Seldom: each beat wakes a process that may have nothing else to do. */
const BEAT_MS = 1_000;
/** The longest limit of those who ask. */
const REMEMBERED_MS = 5_000;

/**
 * Notices when the event loop stands still. A stall is remembered, because a probe can only be answered once the loop turns:
 * without memory no probe would ever see it. All services of a process beat at the same moments.
 */
export const watchEventLoop = (beatMs = BEAT_MS) => {
  let lastBeat = performance.now();
  let last = { stalledMs: 0, endedAt: 0 };
  let timer: NodeJS.Timeout;
  const record = (now: number): void => {
    const stalledMs = now - lastBeat - beatMs;
    if (stalledMs > last.stalledMs || now - last.endedAt > REMEMBERED_MS) last = { stalledMs, endedAt: now };
  };
  const beat = (): void => {
    const now = performance.now();
    record(now);
    lastBeat = now;
    timer = setTimeout(beat, beatMs - (now % beatMs)).unref();
  };
  beat();
  return {
    /** The last stall longer than `limitMs`, for as long again; 0 while the loop turns. */
    stalledMs: (limitMs: number): number => {
      const now = performance.now();
      record(now);
      return last.stalledMs > limitMs && now - last.endedAt <= limitMs ? Math.round(last.stalledMs) : 0;
    },
    stop: (): void => clearTimeout(timer),
  };
};
export type EventLoopWatch = ReturnType<typeof watchEventLoop>;

/** Throws while the part is not ready. */
export type Check = () => Promise<void> | void;

const MAX_MESSAGE_LENGTH = 200;

const runCheck = async (check: Check, timeoutMs: number): Promise<string> => {
  try {
    await withDeadline(Promise.try(check), timeoutMs);
    return 'ok';
  } catch (error) {
    return redactText(Error.isError(error) ? error.message : String(error), MAX_MESSAGE_LENGTH) || 'failed';
  }
};

/** Runs all checks concurrently, each with the same time limit; returns `ok` or the fault, by name. */
export const runChecks = async (
  checks: ReadonlyMap<string, Check>,
  timeoutMs: number,
): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all([...checks].map(async ([name, check]) => [name, await runCheck(check, timeoutMs)])),
  );

const CHECK_TIMEOUT_MS = 1_000;
const STALL_LIMIT_MS = 5_000;

export type HealthOptions = {
  /** 0 takes any free port. */
  readonly port: number;
  /** Loopback by default: these pages are not for the public. */
  readonly host?: string | undefined;
  /** Read at each probe, so that parts may add theirs later. */
  readonly checks: ReadonlyMap<string, Check>;
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
  readonly isStopping: () => boolean;
  readonly loop: Pick<EventLoopWatch, 'stalledMs'>;
  readonly stallLimitMs?: number | undefined;
  readonly checkTimeoutMs?: number | undefined;
};

export type HealthServer = { readonly port: number; close(): Promise<void> };

type Answer = { readonly status: number; readonly type: string; readonly body: string };

const OK = 200;
const UNAVAILABLE = 503;
const json = (status: number, value: unknown): Answer => ({
  status,
  type: 'application/json',
  body: `${JSON.stringify(value)}\n`,
});

const ready = async (options: HealthOptions): Promise<Answer> => {
  const results = await runChecks(options.checks, options.checkTimeoutMs ?? CHECK_TIMEOUT_MS);
  const isStopping = options.isStopping();
  const isReady = !isStopping && Object.values(results).every((result) => result === 'ok');
  return json(isReady ? OK : UNAVAILABLE, {
    ready: isReady,
    ...(isStopping ? { stopping: true } : {}),
    checks: results,
  });
};

const send = (response: ServerResponse, { status, type, body }: Answer): void => {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
};

const answerFor = async (
  request: IncomingMessage,
  options: HealthOptions,
  stalledMs: number,
): Promise<Answer> => {
  if (request.method !== 'GET' && request.method !== 'HEAD') return json(405, { error: 'only GET and HEAD' });
  switch (request.url?.split('?')[0]) {
    case '/live': {
      const isLive = stalledMs === 0;
      return json(isLive ? OK : UNAVAILABLE, { live: isLive, ...(isLive ? {} : { stalledMs }) });
    }
    case '/ready':
      return ready(options);
    case '/metrics':
      return { status: OK, type: options.metrics.contentType, body: await options.metrics.text() };
    default:
      return json(404, { error: 'there are /live, /ready and /metrics' });
  }
};

/** The private port: /live, /ready and /metrics. */
export const startHealthServer = async (options: HealthOptions): Promise<HealthServer> => {
  const { loop, stallLimitMs = STALL_LIMIT_MS } = options;
  const server = createServer((request, response) => {
    answerFor(request, options, loop.stalledMs(stallLimitMs)).then(
      (answer) => send(response, answer),
      (error: Error) => send(response, json(500, { error: error.name })),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host ?? '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
};
