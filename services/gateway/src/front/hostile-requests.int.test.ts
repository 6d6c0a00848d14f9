import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { routeTable } from '@tds/http-api';
import { leastCpuMs, proven } from '@tds/jest';
import { oauthRoutes } from '../oauth/oauth-paths.ts';
import { rawRequest, sendRaw } from '../test-support/raw-http.ts';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';

let harness: TestGateway;
beforeAll(async () => {
  harness = await startTestGateway({ environment: { TRUSTED_PROXIES: '127.0.0.0/8' } });
});
afterAll(() => harness?.stop());

const fill = (text: string, characters = 15_400): string => text.repeat(Math.floor(characters / text.length));
const many = <Item>(length: number, item: (number: number) => Item): Item[] =>
  Array.from({ length }, (_, number) => item(number));

/** Each kind of reader: pages, routes, no address, the library of OAuth. */
const readers = [
  ...['/', '/dashboard', '/nothing', '/v1/openapi.json', '/oauth/authorize', '/oauth/jwks'],
  ...routeTable
    .filter(({ method, access, path }) => method === 'GET' && access === 'public' && !path.includes('{'))
    .map(({ path }) => path),
];
/** Each address that takes a body without a credential, and some that refuse it. */
const posts = [
  ...routeTable.filter(({ method, access }) => method !== 'GET' && access === 'public').map(({ path }) => path),
  ...[...Object.values(oauthRoutes), '/v1/jobs', '/v1/sessions', '/nothing', '/'],
];

const queries = [
  ...['a&', '&', '%ff&', 'a=%ff&', 'a[]=1&', 'a[&', '%61=1&', 'a=', '%', '%e2%82', '+', ';'],
  'resource=https://api.example&',
];
const targets = ['/', '/a', '/.', '/..', '%2f', '%', '%ff', '/%61', '//', '/:a', '/*', 'a', '\\', '/v1/jobs/'];
const headers = [
  ...['Accept', 'Accept-Language', 'Accept-Charset', 'Accept-Encoding', 'Forwarded', 'Referer', 'Cookie'],
  ...['X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'Host', 'Range', 'If-Range', 'Origin'],
  ...['If-None-Match', 'If-Modified-Since', 'Content-Type', 'Content-Encoding', 'Authorization', 'DPoP'],
  ...['OAuth-Client-Attestation', 'Expect', 'Upgrade', 'Prefer', 'Access-Control-Request-Headers'],
];
const values = ['a,', 'a;q=0.1,', ', ', ' ', 'a=b; ', ';a="', '127.0.0.1,', '%61', 'svc_connect=a; '];

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';
const types = [json, form];
const forms = [
  ...['a&', 'a=1&', 'resource=https://api.example&', '%ff&', '%61=%61&', '&', '=', '+', '%', 'scope=a '].map(
    (text) => `grant_type=refresh_token&client_id=a&${fill(text, 55_000)}`,
  ),
  many(4_000, (number) => `a${number}=1`).join('&'),
];
const uris = { redirect_uris: ['https://a.example'] };
const jsons = [
  ...['[', '{"a":', '[1,', '"', '\\'].map((text) => fill(text, 55_000)),
  ...[
    many(5_000, () => 1),
    Object.fromEntries(many(4_000, (number) => [`a${number}`, 1])),
    { client_name: fill('\u200b', 18_000), ...uris },
    { redirect_uris: many(9_000, () => 'a:/') },
    { redirect_uris: many(700, (number) => `https://a.example/${number}`) },
    { redirect_uris: [`https://a.example/?${fill('a&', 50_000)}`] },
    { redirect_uris: [`https://${fill('a.', 50_000)}`] },
    { contacts: many(9_000, () => 'a@b'), ...uris },
    { grant_types: many(4_000, () => 'refresh_token'), ...uris },
    { scope: fill('read ', 50_000), ...uris },
    { email: fill('a@', 55_000) },
    { email: 'a@example.com', code: many(9_000, () => 1) },
  ].map((value) => JSON.stringify(value)),
];

const get = (target: string, more: readonly string[] = [], method = 'GET') =>
  Buffer.from(rawRequest(`${method} ${target}`, more), 'latin1');
const post = (path: string, type: string, body: string) => {
  const more = [`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`];
  return Buffer.from(rawRequest(`POST ${path}`, more, body));
};
const send = (bytes: Buffer) => sendRaw(harness.url, bytes);

const CHUNKS = 30_000;
const chunked = (path: string, type: string, count: number): string => {
  const head = [`POST ${path} HTTP/1.1`, 'Host: a', `Content-Type: ${type}`, 'Transfer-Encoding: chunked'];
  return `${head.join('\r\n')}\r\n\r\n${'1\r\na\r\n'.repeat(count)}`;
};

type Named = readonly [name: string, bytes: Buffer];

describe('a request without a credential', () => {
  let boundMs = 0;
  /** The requests that cost much more CPU than the smallest one, which costs a millisecond with its client. */
  const slowOf = async (requests: readonly Named[]): Promise<string[]> => {
    const slow: string[] = [];
    for (const [name, bytes] of requests) {
      const ms = await leastCpuMs(() => send(bytes), { enoughMs: boundMs });
      if (ms > boundMs) slow.push(`${name.slice(0, 60)}: ${Math.round(ms)} ms of ${Math.round(boundMs)}`);
    }
    return slow;
  };

  beforeAll(async () => {
    // What is loaded, compiled or compressed once.
    for (const path of readers) await send(get(path));
    for (const type of types) for (const path of posts) await send(post(path, type, '{}'));
    boundMs = 240 * (await leastCpuMs(() => send(get('/v1/status')), { runs: 20 }));
  });

  it.each(readers)('costs little with many parameters: %s', async (path) => {
    const requests = queries.map((query): Named => [query, get(`${path}?${fill(query)}`)]);
    expect(await slowOf(requests)).toEqual([]);
  });

  it.each(['GET', 'POST'])('costs little at a long address: %s', async (method) => {
    const beginnings = ['', '/v1/jobs/', '/dashboard/', '/oauth/authorize/'];
    const addresses = beginnings.flatMap((beginning) =>
      targets.flatMap((target) => ['', 'x'].map((end) => `${beginning}${fill(target)}${end}`)),
    );
    expect(await slowOf(addresses.map((address) => [address, get(address, [], method)]))).toEqual([]);
  });

  it.each(readers)('costs little with long headers, and with many: %s', async (path) => {
    // Each with each if proven; otherwise each header and each value with some.
    const valuesOf = (at: number) => proven([values[at % values.length] as string], values);
    const long = headers.flatMap((header, at) => valuesOf(at).map((value) => [`${header}: ${fill(value)}`]));
    const repeated = headers.map((header) => many(15_000 / (header.length + 5), () => `${header}: a`));
    const requests = [...long, ...repeated, many(1_500, (number) => `A${number}: b`)].map(
      (lines): Named => [lines.join(), get(path, lines)],
    );
    expect(await slowOf(requests)).toEqual([]);
  });

  it.each(posts)('costs little with many small values: %s', async (path) => {
    const requests = [
      ...forms.map((body): Named => [body, post(path, form, body)]),
      ...jsons.map((body): Named => [body, post(path, json, body)]),
    ];
    expect(await slowOf(requests)).toEqual([]);
  });

  it.each(posts)('costs little in chunks of a byte, however many: %s', async (path) => {
    const next = `0\r\n\r\n${get('/v1/status')}`;
    const requests = types.flatMap((type) =>
      proven([CHUNKS / 3], [CHUNKS, 10 * CHUNKS]).map(
        (count): Named => [`${count} ${type}`, Buffer.from(chunked(path, type, count) + next)],
      ),
    );
    expect(await slowOf(requests)).toEqual([]);
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const heldBytes = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

describe('a body in chunks of a byte', () => {
  it.each(['/v1/auth/code', '/v1/jobs', '/nothing', ...Object.values(oauthRoutes)])(
    'takes less than a megabyte while it is under way: %s',
    async (path) => {
      const { hostname, port } = new URL(harness.url);
      const before = heldBytes();
      const sockets = [...types, ...types].map((type) => {
        const socket = connect(Number(port), hostname).on('error', () => {});
        return { socket, isWritten: new Promise((done) => socket.write(chunked(path, type, CHUNKS), done)) };
      });
      for (const { isWritten } of sockets) await isWritten;
      // The pieces before these requests are read by now.
      for (let turn = 0; turn < 10; turn += 1) await send(get('/v1/status'));
      const held = heldBytes() - before;
      for (const { socket } of sockets) socket.destroy();
      expect(held / sockets.length).toBeLessThan(1_024 * 1_024);
    },
  );
});
