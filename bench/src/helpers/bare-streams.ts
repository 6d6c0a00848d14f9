import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveHelper } from '../support/helper.ts';

/** The peer of progress streams: node:http, the same bytes at the same times, and nothing else. */

const HEARTBEAT_MS = 10_000;

export type BareStreamsOptions = { readonly head: Readonly<Record<string, string>>; readonly first: string };

const listen = async ({ head, first }: BareStreamsOptions): Promise<number> => {
  const streams = new Set<ServerResponse>();
  const server = createServer((_, response) => {
    response.writeHead(200, head);
    response.write(first);
    streams.add(response);
    response.once('close', () => streams.delete(response));
  });
  setInterval(() => {
    for (const response of streams) response.write(':\n\n');
  }, HEARTBEAT_MS);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

serveHelper({ listen });
