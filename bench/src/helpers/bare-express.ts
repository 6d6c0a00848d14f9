import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withClient } from '@tds/servers';
import express, { type Express } from 'express';
import { serveHelper } from '../support/helper.ts';

export type BareExpressOptions = {
  /** By the value of `video_id` or `url`. */
  readonly bodies: Readonly<Record<string, Buffer>>;
  /** Headers of the gateway's own answer, so that both sides write as much. */
  readonly headers: Readonly<Record<string, string>>;
};

export type BareQueryOptions = {
  readonly databaseUrl: string;
  /** SQL by path. */
  readonly queries: Readonly<Record<string, string>>;
};

const createApp = (): Express => express().disable('x-powered-by').disable('etag');

const serve = async (app: Express): Promise<number> => {
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

/** The peer of the cached read and of the warm listing: one handler that writes the same bytes. */
const listen = ({ bodies, headers }: BareExpressOptions): Promise<number> => {
  const app = createApp();
  const byName = new Map(Object.entries(bodies).map(([name, body]) => [name, Buffer.from(body)]));
  app.get(['/v1/transcript', '/v1/videos'], (request, response) => {
    response.set(headers);
    response.send(byName.get(String(request.query.video_id ?? request.query.url)));
  });
  return serve(app);
};

/** The peer of usage: one connection, and each path one query whose rows are the JSON answer. */
const query = ({ databaseUrl, queries }: BareQueryOptions): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  withClient(databaseUrl, async (client) => {
    const app = createApp();
    for (const [path, text] of Object.entries(queries)) {
      app.get(path, async (request, response) => {
        const { rows } = await client.query(text, JSON.parse(String(request.query.values)));
        response.json({ ok: true, rows });
      });
    }
    resolve(await serve(app));
    // The connection stays open until the process ends.
    await new Promise(() => {});
  }).catch(reject);
  return promise;
};

serveHelper({ listen, query });
