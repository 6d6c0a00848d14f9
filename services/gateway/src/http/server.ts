import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refuseBrokenHttp } from './broken-http.ts';

const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Above what load balancers keep, so that they end idle connections and not we, in the middle of a request. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/**
 * A socket on which nothing moves for so long is closed. Far longer than any wait for an answer, because a reader is seen
 * only when it has emptied a third of the buffers on the way, which are megabytes: whoever takes 12 KB a second has its time.
 */
const SILENCE_MS = 120_000;

export type ServerLimits = { readonly maxConnections: number; readonly silenceMs?: number };

export const createHttpServer = (
  listener: RequestListener,
  publicUrl: string,
  { maxConnections, silenceMs = SILENCE_MS }: ServerLimits,
): Server => {
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
  server.timeout = silenceMs;
  // Memory that strangers can make us hold; more are closed as they come.
  server.maxConnections = maxConnections;
  const refuse = refuseBrokenHttp(publicUrl);
  server.on('clientError', refuse);
  // Without these, Node answers by itself: 417 without an envelope, and a closed connection.
  server.on('checkExpectation', listener);
  server.on('connect', (_request, socket) => refuse(new Error('CONNECT is for proxies'), socket));
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
