import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { leastCpuMs, proven } from '@tds/jest';
import { rawRequest, sendRaw } from '../test-support/raw-http.ts';
import { signedAt } from '../test-support/send-event.ts';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';

const CHARACTERS = 15_500;
const ENDS = proven(['\u00e9'], ['', 'x', '\u00e9']);
const REPEATED = [' ', 'a', '0', ';', ',', '=', '"', '-', '.', ':', 'svc_dashboard=', 'gzip;', '; '];
const texts = REPEATED.flatMap((text) => ENDS.map((end) => text.repeat(CHARACTERS / text.length - 1) + end));

let harness: TestGateway;
beforeAll(async () => {
  harness = await startTestGateway({ environment: { TRUSTED_PROXIES: '127.0.0.0/8' } });
});
afterAll(() => harness?.stop());

const EMAIL = '{"email":"a@example.com"}';
const json = ['Content-Type: application/json'];
const ID = '0196f0c4-0000-7000-8000-000000000000';

/** A request that reads the header, without it. */
type Read = (key: string) => { line: string; headers?: string[]; body?: string };
const post =
  (path: string, headers: string[], body: string): Read =>
  () => ({ line: `POST ${path}`, headers: [...headers, `Content-Length: ${body.length}`], body });
const get =
  (path: string): Read =>
  (key) => ({ line: `GET ${path}`, headers: [`Authorization: Bearer ${key}`] });
const withKey =
  (read: Read): Read =>
  (key) => {
    const { headers = [], ...rest } = read(key);
    return { ...rest, headers: [`Authorization: Bearer ${key}`, ...headers] };
  };

const requestCode = post('/v1/auth/code', json, EMAIL);
const createJob = withKey(post('/v1/jobs', json, '{"video_ids":["manualEn001"]}'));
/** Header, a good value that a long text may follow, and a request that reads the header. */
const readers: readonly [string, string, Read][] = [
  ['Content-Type', 'application/json', post('/v1/auth/code', [], EMAIL)],
  ['Content-Type', 'application/json', post('/v1/billing/payment', [`Stripe-Signature: ${signedAt()}`], '{}')],
  ['Content-Encoding', 'identity', requestCode],
  ['Cookie', 'svc_dashboard=', requestCode],
  ['Cookie', 'svc_dashboard=', () => ({ line: 'GET /v1/auth/sessions' })],
  ['X-Forwarded-For', '127.0.0.1', requestCode],
  ['Stripe-Signature', 't=1700000000,v1=', post('/v1/billing/payment', json, '{}')],
  ['Authorization', 'Bearer svc_live_', () => ({ line: 'GET /v1/account' })],
  ['Idempotency-Key', 'a', createJob],
  ['Accept-Encoding', 'gzip', () => ({ line: 'GET /' })],
  ['If-None-Match', '"a"', get(`/v1/jobs/${ID}/archive`)],
  ['If-Range', '"a"', get(`/v1/jobs/${ID}/archive`)],
  ['Range', 'bytes=0', get(`/v1/jobs/${ID}/archive`)],
  ['Last-Event-ID', '1', get(`/v1/jobs/${ID}/events`)],
  [
    'Origin',
    'https://api.example',
    withKey(post('/v1/mcp', json, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}')),
  ],
  [
    'MCP-Protocol-Version',
    '2025-06-18',
    withKey(post('/v1/mcp', json, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}')),
  ],
  ['Traceparent', '00-', get('/v1/account')],
  ['Host', 'api.example', get('/v1/account')],
];

const send = (name: string, read: Read, key: string, text: string) => {
  const { line, headers = [], body = '' } = read(key);
  return sendRaw(harness.url, Buffer.from(rawRequest(line, [...headers, `${name}: ${text}`], body), 'latin1'));
};

describe('a header of 16 KB', () => {
  it.each(readers)('%s costs no more than one that nothing reads', async (name, begin, read) => {
    const { key } = await harness.addAccount({ tier: 'paid' });
    await send('X-Unread', read, key, texts[0] as string);
    const unread = () => send('X-Unread', read, key, texts[0] as string);
    const boundMs = 20 * (await leastCpuMs(unread, { runs: 5 }));
    const slow: string[] = [];
    for (const text of [...texts, ...texts.map((rest) => begin + rest)]) {
      const neededMs = await leastCpuMs(() => send(name, read, key, text), { enoughMs: boundMs });
      if (neededMs > boundMs) slow.push(text.slice(0, 30));
    }
    expect(slow).toEqual([]);
  });
});
