import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ErrorCode, serviceError } from '@tds/contracts';
import { JSON_TYPE } from './answer.ts';
import { errorAnswer } from './error-answer.ts';

const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Above what load balancers keep, so that they end idle connections and not we, in the middle of a request. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

type BrokenRequest = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

const HEAD = 'HEAD ';

/** Whoever asks with HEAD takes a body for the next answer. */
const wantsNoBody = ({ rawPacket }: BrokenRequest): boolean =>
  rawPacket?.toString('latin1', 0, HEAD.length) === HEAD;

/** What does not parse as HTTP never reaches Express; it gets the same envelope, and its connection ends. */
const refuseBrokenHttp =
  (publicUrl: string) =>
  (error: BrokenRequest, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const requestId = randomUUID();
    const refusal = serviceError(codes[error.code ?? ''] ?? 'malformed_request');
    const { status, body = '' } = errorAnswer(refusal, requestId, publicUrl);
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        `X-Request-Id: ${requestId}`,
        'Cache-Control: no-store',
        'X-Content-Type-Options: nosniff',
        `Content-Type: ${JSON_TYPE}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
        '',
        wantsNoBody(error) ? '' : body.toString(),
      ].join('\r\n'),
    );
  };

export const createHttpServer = (listener: RequestListener, publicUrl: string): Server => {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: 2_000,
      // Two Authorization headers become one value that is no credential; by default Node would drop the second.
      joinDuplicateHeaders: true,
      // The front door asks for it, so that this refusal too has an envelope.
      requireHostHeader: false,
    },
    listener,
  );
  server.on('clientError', refuseBrokenHttp(publicUrl));
  // Without these, Node answers by itself: 417 without an envelope, and a closed connection.
  server.on('checkExpectation', listener);
  server.on('connect', (_request, socket) =>
    refuseBrokenHttp(publicUrl)(new Error('CONNECT is for proxies'), socket),
  );
  return server;
};

export const listen = async (server: Server, port: number, host: string): Promise<AddressInfo> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  await promise;
  server.off('error', reject);
  return server.address() as AddressInfo;
};

/** Takes no more connections, lets requests in hand end within the time, then cuts what is left. */
export const stopServer = async (server: Server, withinMs: number): Promise<void> => {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that falls idle now would otherwise wait for its next request.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), withinMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
};
