import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The client that an InnerTube request names; empty for others. */
  readonly client: string;
  readonly remoteAddress: string;
};

export type Scripted = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
};

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

const clientOf = (body: string): string => (body === '' ? '' : JSON.parse(body).context.client.clientName);

/** A loopback server that answers as scripted, and records requests. */
export const startScriptedPlatform = async (script: (request: Received) => Scripted | Promise<Scripted>) => {
  const requests: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = await readText(request);
    const record: Received = {
      method: request.method ?? '',
      url: new URL(request.url ?? '/', 'http://scripted'),
      headers: request.headers,
      body,
      client: clientOf(body),
      remoteAddress: request.socket.remoteAddress ?? '',
    };
    requests.push(record);
    const answer = await script(record);
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
export type ScriptedPlatform = Awaited<ReturnType<typeof startScriptedPlatform>>;
