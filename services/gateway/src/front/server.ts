import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { clientNetwork, nextTurn } from '@tds/base';
import { newId } from '@tds/contracts';
import { type ErrorCode, type ServiceError, serviceError } from '@tds/errors';
import { methodsByPath, pathPattern, routeTable } from '@tds/http-api';
import { createCounts } from '../domain/counts.ts';
import { errorAnswer, JSON_TYPE } from '../wire/index.ts';
import type { TrustedProxy } from './input/client-address.ts';

const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

type BrokenRequest = NodeJS.ErrnoException & {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
};

/**
 * Time for the answer to arrive. Then a client that keeps its side open is cut off, because open sockets are
 * limited.
 */
const CUT_OFF_AFTER_MS = 1_000;

const HEAD = 'HEAD ';
/** Longer than a method, a path and a version. */
const REQUEST_LINE_BYTES = 512;
/**
 * A valid method that Node's parser does not know, and the path without its query, which may contain a key.
 */
const otherMethod = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32} (\/[^ ?#]*) HTTP\/1\.[01]\r\n/;

const pathPatterns = [...methodsByPath(routeTable)].map(([path, allow]) => ({
  allow,
  pattern: pathPattern(path),
}));

/** A client that sent HEAD would take a body for the next answer. */
const wantsNoBody = ({ rawPacket }: BrokenRequest): boolean =>
  rawPacket?.toString('latin1', 0, HEAD.length) === HEAD;

/** Node's parser rejects unknown methods before it reads further; on our paths the answer is 405. */
const methodRefusal = ({ code, rawPacket, bytesParsed = 0 }: BrokenRequest): ServiceError | null => {
  if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) return null;
  const line = rawPacket.toString('latin1', 0, REQUEST_LINE_BYTES);
  const [start, path] = otherMethod.exec(line) ?? [];
  // After another request in the same packet the start of this one is unknown.
  if (start === undefined || path === undefined || bytesParsed > start.length) return null;
  const allow = pathPatterns.find(({ pattern }) => pattern.test(path))?.allow;
  return allow ? serviceError('method_not_allowed', { extras: { allow } }) : serviceError('not_found');
};

/**
 * Answers requests that do not parse as HTTP with the usual envelope and ends their connection. The parser fails again at each
 * later piece of such a request. They are ignored, because closing the socket then would reset it before the client reads the answer.
 */
const refuseBrokenHttp = (publicUrl: string) => {
  const refusedSockets = new WeakSet<Duplex>();
  return (error: BrokenRequest, socket: Duplex): void => {
    if (error.code !== 'ECONNRESET' && refusedSockets.has(socket)) return;
    refusedSockets.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const requestId = newId();
    const refusal = methodRefusal(error) ?? serviceError(codes[error.code ?? ''] ?? 'malformed_request');
    const { status, body = '', headers = [] } = errorAnswer(refusal, requestId, publicUrl);
    const ownHeaders = headers.flatMap((name, index) =>
      index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : [],
    );
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        `X-Request-Id: ${requestId}`,
        'Cache-Control: no-store',
        'X-Content-Type-Options: nosniff',
        ...ownHeaders,
        `Content-Type: ${JSON_TYPE}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
        '',
        wantsNoBody(error) ? '' : body.toString(),
      ].join('\r\n'),
    );
    const cutOff = setTimeout(() => socket.destroy(), CUT_OFF_AFTER_MS);
    socket.once('close', () => clearTimeout(cutOff));
  };
};

const MAX_HEADER_BYTES = 16 * 1024;
/** With the check interval and the cut-off: ten seconds without a complete head. */
const HEADERS_TIMEOUT_MS = 8_000;
const CHECK_EVERY_MS = 1_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Clients are asked to drop a connection that is idle for so long: no longer than a gateway drains on Kubernetes. */
const KEEP_ALIVE_MS = 5_000;
/**
 * Load balancers ignore that. Together longer than they keep idle connections, so that they close them, not we in the middle of a
 * request.
 */
const KEEP_ALIVE_BUFFER_MS = 60_000;

/**
 * Closes sockets without traffic. Much longer than any wait for an answer: a slow reader is noticed only when
 * it has emptied a third of the buffers, which are megabytes. 12 KB a second is fast enough.
 */
const IDLE_TIMEOUT_MS = 120_000;

/** Share of all connections that one network may hold. */
const SHARE_OF_ONE_NETWORK = 0.1;

export type ServerLimits = {
  readonly maxConnections: number;
  /** A trusted proxy's connections count for no network. */
  readonly isTrustedProxy: TrustedProxy;
  readonly idleTimeoutMs?: number;
};

/** Closes new connections of a network that holds its share. */
const shareAmongNetworks = (server: Server, { maxConnections, isTrustedProxy }: ServerLimits): void => {
  const max = Math.max(1, Math.floor(maxConnections * SHARE_OF_ONE_NETWORK));
  const counts = createCounts();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    if (isTrustedProxy(remoteAddress)) return;
    const network = clientNetwork(remoteAddress);
    if (counts.of(network) >= max) return void socket.destroy();
    counts.add(network, 1);
    socket.once('close', () => counts.add(network, -1));
  });
};

/** A socket with the answer that is under way on it, which Node names nowhere else. */
type AnsweringSocket = Socket & { readonly _httpMessage?: ServerResponse | null };
const openSockets = new WeakMap<Server, Set<AnsweringSocket>>();

const rememberSockets = (server: Server): void => {
  const sockets = new Set<AnsweringSocket>();
  openSockets.set(server, sockets);
  server.on('connection', (socket: AnsweringSocket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
};

export const createHttpServer = (
  listener: RequestListener,
  publicUrl: string,
  limits: ServerLimits,
): Server => {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveTimeoutBuffer: KEEP_ALIVE_BUFFER_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      // Two Authorization headers become one invalid value; by default Node would drop the second.
      joinDuplicateHeaders: true,
      // The front door checks it, so that this error has the envelope, too.
      requireHostHeader: false,
    },
    listener,
  );
  server.timeout = limits.idleTimeoutMs ?? IDLE_TIMEOUT_MS;
  // Bounds the memory of connections; further ones are closed at once.
  server.maxConnections = limits.maxConnections;
  shareAmongNetworks(server, limits);
  rememberSockets(server);
  const refuse = refuseBrokenHttp(publicUrl);
  server.on('clientError', refuse);
  // Without these, Node answers 417 without an envelope or closes the connection.
  server.on('checkExpectation', listener);
  server.on('connect', (_request, socket) => refuse(new Error('CONNECT is for proxies'), socket));
  return server;
};

export const listen = async (server: Server, port: number, host: string): Promise<AddressInfo> => {
  server.listen(port, host);
  await once(server, 'listening');
  return server.address() as AddressInfo;
};

const SWEEP_EVERY_MS = 50;

export const countConnections = (server: Server): Promise<number> =>
  promisify(server.getConnections.bind(server))().catch(() => 0);

/**
 * Ends each open connection with an answer that says so: the one that is under way, or that of one more request. A connection that is
 * closed between two requests may cost its client the next one. Then it stops accepting, lets running requests end within the time, and
 * cuts the rest.
 */
export const stopServer = async (
  server: Server,
  { drainMs, withinMs }: { readonly drainMs: number; readonly withinMs: number },
): Promise<void> => {
  const cut = setTimeout(() => server.closeAllConnections(), withinMs);
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  for (const { _httpMessage: answer } of openSockets.get(server) ?? [])
    if (answer) answer.shouldKeepAlive = false;
  const lastRequestAt = performance.now() + drainMs;
  while (performance.now() < lastRequestAt && (await countConnections(server)) > 0) await delay(SWEEP_EVERY_MS);
  // What arrived while the process was busy is read first: its connection is not idle.
  await nextTurn();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that becomes idle now would wait for its next request.
  const sweep = setInterval(async () => {
    await nextTurn();
    server.closeIdleConnections();
  }, SWEEP_EVERY_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
};
