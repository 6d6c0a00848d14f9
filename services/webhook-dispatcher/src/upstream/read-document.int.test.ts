import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type HostileServer, hostileAnswers, startHostileServer } from '@tds/bounded-http/testing';
import { MAX_APP_DOCUMENT_BYTES } from '@tds/contracts';
import { createDestinationGuard, createResolveHost } from './destination-guard.ts';
import { createDocumentReader, type DocumentReader } from './read-document.ts';

let server: Server;
let hostile: HostileServer;
let origin: string;
let reader: DocumentReader;
const resolve = createResolveHost('127.0.0.1:9');
const requests: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(String(request.url));
    if (request.url === '/moved') response.writeHead(302, { location: '/app.json' }).end();
    else if (request.url === '/large') response.end('x'.repeat(MAX_APP_DOCUMENT_BYTES + 1));
    else if (request.url !== '/silent')
      response.writeHead(200, { 'cache-control': 'max-age=60' }).end('{"client_name":"An app"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  hostile = await startHostileServer();
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  reader = createDocumentReader(createDestinationGuard({ ownHosts: [], takesLocalReceivers: true }, resolve));
});
afterAll(async () => {
  await reader.close();
  hostile.stop();
  server.closeAllConnections();
  server.close();
});

it('reads a document with how long it may be kept', async () => {
  expect(await reader.read(`${origin}/app.json`)).toEqual({
    ...{ status: 200, body: '{"client_name":"An app"}', cacheControl: 'max-age=60' },
  });
});

it('follows no redirect', async () => {
  requests.length = 0;
  expect((await reader.read(`${origin}/moved`))?.status).toBe(302);
  expect(requests).toEqual(['/moved']);
});

it('reads no document that is too large or does not come in time', async () => {
  expect(await reader.read(`${origin}/large`)).toBeNull();
  expect(await reader.read(`${origin}/silent`)).toBeNull();
});

it.each(hostileAnswers)('ends with a server that answers without an end: %s', async (answer) => {
  expect(await reader.read(`${await hostile.serve(answer)}/`)).toBeNull();
});

it('connects to no address but a public one by https', async () => {
  const strict = createDocumentReader(
    createDestinationGuard({ ownHosts: ['api.example'], takesLocalReceivers: false }, resolve),
  );
  requests.length = 0;
  for (const url of [
    ...[`${origin}/app.json`, 'https://127.0.0.1/a', 'https://[::1]/a', 'https://169.254.169.254/latest'],
    ...['https://localhost/a', 'https://api.example/a', 'https://a.internal/a', 'http://app.example/a', 'x'],
  ])
    expect([url, await strict.read(url)]).toEqual([url, null]);
  expect(requests).toEqual([]);
  await strict.close();
});
