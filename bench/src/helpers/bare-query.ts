import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withClient } from '@tds/servers';
import express from 'express';
import { serveHelper } from '../support/helper.ts';

export type BareQueryOptions = {
  readonly databaseUrl: string;
  /** SQL by path. */
  readonly queries: Readonly<Record<string, string>>;
};

/** The peer of usage: Express in front of one connection, and each path one query whose rows are the JSON answer. */
const listen = ({ databaseUrl, queries }: BareQueryOptions): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  withClient(databaseUrl, async (client) => {
    const app = express();
    app.disable('x-powered-by').disable('etag');
    for (const [path, text] of Object.entries(queries)) {
      app.get(path, async (request, response) => {
        const { rows } = await client.query(text, JSON.parse(String(request.query.values)));
        response.json({ ok: true, rows });
      });
    }
    const server = createServer(app);
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    resolve((server.address() as AddressInfo).port);
    // The connection stays open until the process ends.
    await new Promise(() => {});
  }).catch(reject);
  return promise;
};

serveHelper({ listen });
