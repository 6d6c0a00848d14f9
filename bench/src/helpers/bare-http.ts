import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveHelper } from '../support/helper.ts';

const FORBIDDEN = 403;
const OK = 200;
const HEARTBEAT_MS = 10_000;

export type BareStreamsOptions = { readonly head: Readonly<Record<string, string>>; readonly first: string };

const listen = async (listener: RequestListener): Promise<number> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

serveHelper({
  /** The peer of refusals: an empty 403. */
  refuse: () =>
    listen((_request, response) => {
      response.writeHead(FORBIDDEN, { 'Content-Length': 0 });
      response.end();
    }),
  /** The peer of progress streams: the same bytes at the same times. */
  stream: ({ head, first }: BareStreamsOptions) => {
    const streams = new Set<ServerResponse>();
    setInterval(() => {
      for (const response of streams) response.write(':\n\n');
    }, HEARTBEAT_MS);
    return listen((_request, response) => {
      response.writeHead(OK, head);
      response.write(first);
      streams.add(response);
      response.once('close', () => streams.delete(response));
    });
  },
});
