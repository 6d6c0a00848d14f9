import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP, type Server } from 'node:net';

export type ListenOptions = {
  /** 0 or none: any free port. */
  readonly port?: number | undefined;
  /** The address that it listens at; 127.0.0.1, which only this machine reaches, if none is given. */
  readonly host?: string | undefined;
};

export type LocalServerOptions = ListenOptions & {
  /** A further name that it is called by, such as that of its container. */
  readonly name?: string | undefined;
  readonly keepAliveMs?: number;
};

export type LocalServer = {
  readonly port: number;
  /** Ends every connection at once, also one that still waits for its answer. */
  close(): Promise<void>;
};

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

const REFUSED = 'Refused: this server answers to localhost and to addresses, and to pages of its own.\n';

/** Resolves with the port; rejects if the address cannot be had. */
export const listen = async (
  server: Server,
  { port = 0, host = '127.0.0.1' }: ListenOptions,
): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, host, resolve);
  await promise;
  server.off('error', reject);
  return (server.address() as AddressInfo).port;
};

/** A page on the web can give this address a name of its own, or send forms here: its browser then names the page's site. */
const isOurs = ({ headers: { host, origin } }: IncomingMessage, name: string | undefined): boolean => {
  const called = URL.parse(`http://${host}`)?.hostname ?? '';
  const isAddress = isIP(called.replace(/^\[(.*)\]$/, '$1')) !== 0;
  return (
    (isAddress || called === 'localhost' || called === name) && [undefined, `http://${host}`].includes(origin)
  );
};

/** An HTTP server without a password, for this machine and its containers. */
export const startLocalServer = async (
  { name, keepAliveMs, ...place }: LocalServerOptions,
  answer: Answer,
): Promise<LocalServer> => {
  const server = createServer(async (request, response) => {
    try {
      if (isOurs(request, name)) await answer(request, response);
      else response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' }).end(REFUSED);
    } catch {
      // A request that cannot even be read has no better answer than the end of its connection.
      response.destroy();
    }
  });
  if (keepAliveMs !== undefined) server.keepAliveTimeout = keepAliveMs;
  const port = await listen(server, place);
  return {
    port,
    close: async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeAllConnections();
      await promise;
    },
  };
};
