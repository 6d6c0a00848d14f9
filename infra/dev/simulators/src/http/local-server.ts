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

const headers = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** Answers a page, its style, or data. */
export const send = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, { ...headers, 'content-type': `${type}; charset=utf-8` }).end(body);
};

/** The style of the pages, which is at `/style.css`. */
export const pageStyle = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
article { border-top: 1px solid #ccc; padding: 1rem 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
p { color: #555; margin: 0; }
`;

/** A page of articles; `title` and `content` are HTML. */
export const listPage = (
  title: string,
  content: string,
  articles: readonly string[],
): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<link rel="stylesheet" href="/style.css">
<h1>${title}</h1>
${content}
${articles.length === 0 ? '<p>None yet.</p>' : articles.join('\n')}
</html>
`;

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
