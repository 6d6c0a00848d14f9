import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { serveHelper } from '../support/helper.ts';

/** The peers of routes. Each answers its port. */

export type BareBodies = {
  /** By the value of `video_id`. */
  readonly bodies: Readonly<Record<string, Buffer>>;
  /** Headers of the gateway's own answer, so that both sides write as much. */
  readonly headers: Readonly<Record<string, string>>;
};
export type BareStream = { readonly head: Readonly<Record<string, string>>; readonly first: string };

const HEARTBEAT_MS = 10_000;

const listen = async (listener: RequestListener): Promise<number> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

const createApp = (): Express => express().disable('x-powered-by').disable('etag');

serveHelper({
  /** One Express handler that writes the bytes of a cached answer. */
  bodies: ({ bodies, headers }: BareBodies) => {
    const byName = new Map(Object.entries(bodies).map(([name, body]) => [name, Buffer.from(body)]));
    return listen(
      createApp().get('/v1/transcript', (request, response) => {
        response.set(headers).send(byName.get(String(request.query.video_id)));
      }),
    );
  },
  /** node:http with an empty 403. */
  refusals: () => listen((_request, response) => void response.writeHead(403, { 'Content-Length': 0 }).end()),
  /** node:http with the bytes of a progress stream at the same times. */
  streams: ({ head, first }: BareStream) => {
    const streams = new Set<ServerResponse>();
    setInterval(() => {
      for (const response of streams) response.write(':\n\n');
    }, HEARTBEAT_MS);
    return listen((_request, response) => {
      response.writeHead(200, head).write(first);
      streams.add(response);
      response.once('close', () => streams.delete(response));
    });
  },
});
