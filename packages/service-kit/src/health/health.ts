import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from '../telemetry/metrics.ts';
import { watchEventLoop } from './event-loop.ts';
import { type Check, runChecks } from './run-checks.ts';

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
  const loop = watchEventLoop(options.stallLimitMs ?? STALL_LIMIT_MS);
  const server = createServer((request, response) => {
    answerFor(request, options, loop.stalledMs()).then(
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
      loop.stop();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
};
