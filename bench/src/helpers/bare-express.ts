import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { serveHelper } from '../support/helper.ts';

export type BareExpressOptions = {
  /** By what `video_id` or `url` asks for. */
  readonly bodies: Readonly<Record<string, Buffer>>;
  /** Headers of the gateway's own answer, so that both write as much. */
  readonly headers: Readonly<Record<string, string>>;
};

/** The peer of the cached read and of the warm listing: Express with one handler, the same bytes, and none of what a gateway has to do. */
const listen = async ({ bodies, headers }: BareExpressOptions): Promise<number> => {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  const byName = new Map(Object.entries(bodies).map(([name, body]) => [name, Buffer.from(body)]));
  app.get(['/v1/transcript', '/v1/videos'], (request, response) => {
    response.set(headers);
    response.send(byName.get(String(request.query.video_id ?? request.query.url)));
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

serveHelper({ listen });
