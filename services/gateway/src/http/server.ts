import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { clientNetwork } from '@tds/service-kit';
import { refuseBrokenHttp } from './broken-http.ts';
import type { TrustedProxy } from './client-address.ts';

const MAX_HEADER_BYTES = 16 * 1024;
/** With the second between two looks and the one until a refused socket is cut off: ten seconds without a request. */
const HEADERS_TIMEOUT_MS = 8_000;
const LOOK_EVERY_MS = 1_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Above what load balancers keep, so that they end idle connections and not we, in the middle of a request. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/**
 * A socket on which nothing moves for so long is closed. Far longer than any wait for an answer, because a reader is seen
 * only when it has emptied a third of the buffers on the way, which are megabytes: whoever takes 12 KB a second has its time.
 */
const SILENCE_MS = 120_000;

/** Of all connections, what one network may hold. */
const SHARE_OF_ONE_NETWORK = 0.1;

export type ServerLimits = {
  readonly maxConnections: number;
  /** Its connections are those of all networks behind it, and count as none's. */
  readonly isTrustedProxy: TrustedProxy;
  readonly silenceMs?: number;
};

/** Closes connections as they come while others of their network hold its share. */
const shareAmongNetworks = (server: Server, { maxConnections, isTrustedProxy }: ServerLimits): void => {
  const most = Math.max(1, Math.floor(maxConnections * SHARE_OF_ONE_NETWORK));
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    if (isTrustedProxy(remoteAddress)) return;
    const network = clientNetwork(remoteAddress);
    const before = open.get(network) ?? 0;
    if (before >= most) return void socket.destroy();
    open.set(network, before + 1);
    socket.once('close', () => {
      const others = (open.get(network) as number) - 1;
      if (others === 0) open.delete(network);
      else open.set(network, others);
    });
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
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: LOOK_EVERY_MS,
      // Two Authorization headers become one value that is no credential; by default Node would drop the second.
      joinDuplicateHeaders: true,
      // The front door asks for it, so that this refusal too has an envelope.
      requireHostHeader: false,
    },
    listener,
  );
  server.timeout = limits.silenceMs ?? SILENCE_MS;
  // Memory that strangers can make us hold; more are closed as they come.
  server.maxConnections = limits.maxConnections;
  shareAmongNetworks(server, limits);
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
