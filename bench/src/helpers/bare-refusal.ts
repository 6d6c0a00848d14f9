import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveHelper } from '../support/helper.ts';

const FORBIDDEN = 403;

/** The peer of refusals: node:http, an empty 403. */
const listen = async (): Promise<number> => {
  const server = createServer((_request, response) => {
    response.writeHead(FORBIDDEN, { 'Content-Length': 0 });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

serveHelper({ listen });
