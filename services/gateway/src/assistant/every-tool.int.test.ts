import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSessionToken } from '@tds/contracts';
import { createMcp, message } from '../test-support/raw-http.ts';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';
import { tools } from './tools.ts';

let harness: TestGateway;
let mcp: ReturnType<typeof createMcp>;
let bearer: { authorization: string };
beforeAll(async () => {
  harness = await startTestGateway();
  mcp = createMcp(harness.url);
  ({ bearer } = await harness.addAccount({ tier: 'paid' }));
});
afterAll(() => harness?.stop());

const MAX_BODY_BYTES = 65_536;
const MARKUP = '<script>alert(1)</script>';
const cookie = { cookie: `svc_dashboard=${createSessionToken()}` };
const own = () => bearer;

type Refusal = {
  readonly what: string;
  readonly headers: () => object;
  readonly body: (call: object) => object;
  readonly is: readonly [status: number, code: string];
};
const refusals: readonly Refusal[] = [
  { what: 'a cookie', headers: () => cookie, body: (call) => call, is: [403, 'cookie_not_accepted'] },
  {
    what: 'no credential',
    headers: () => ({}),
    body: (call) => call,
    is: [401, 'authorization_required'],
  },
  {
    what: 'a page of another site',
    headers: () => ({ ...bearer, origin: 'https://evil.example' }),
    body: (call) => call,
    is: [403, 'origin_not_accepted'],
  },
  { what: 'a list of calls', headers: own, body: (call) => [call, call], is: [400, 'batch_tool_calls'] },
  {
    what: 'hundreds of calls',
    headers: own,
    body: (call) => Array.from({ length: 400 }, () => call),
    is: [400, 'batch_tool_calls'],
  },
  {
    what: 'huge arguments',
    headers: own,
    body: (call) => ({ ...call, params: { padding: 'x'.repeat(MAX_BODY_BYTES) } }),
    is: [413, 'body_too_large'],
  },
  {
    what: 'an id that is too long',
    headers: own,
    body: (call) => ({ ...call, id: 'x'.repeat(129) }),
    is: [400, 'invalid_mcp_message'],
  },
];

/** Bodies of answers, and what the services behind the gateway were asked meanwhile. */
const askedInAll = () =>
  [harness.fetcher, harness.search, harness.jobs, harness.monitors, harness.ledger].reduce(
    (sum, { asked }) => sum + asked.filter(({ name }) => !name.startsWith('record')).length,
    0,
  );

describe.each(tools.map(({ name }) => [name] as const))('the tool %s', (name) => {
  const call = message('tools/call', { name, arguments: {} });

  it.each(refusals)('refuses $what, uncharged, and asks no service', async ({ headers, body, is }) => {
    const before = askedInAll();
    const answer = await mcp.post({ 'content-type': 'application/json', ...headers() }, body(call));
    expect([answer.status, answer.body.code]).toEqual(is);
    expect(answer.headers['x-credits-charged'] ?? '0').toBe('0');
    expect(askedInAll()).toBe(before);
  });

  it('answers as no page: typed, not sniffed, not stored, to no other site, without a cookie', async () => {
    const { headers } = await mcp.callTool(bearer, name, {});
    expect(headers).toMatchObject({
      'content-type': expect.stringMatching(/^application\/json/),
      'x-content-type-options': 'nosniff',
      'cache-control': expect.stringMatching(/no-store|private/),
    });
    expect(headers).not.toHaveProperty('set-cookie');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('refuses an argument that it does not have, and markup in its place is data', async () => {
    const answer = await mcp.callTool(bearer, name, { [MARKUP]: MARKUP });
    const { isError, structuredContent } = answer.body.result;
    expect([answer.status, isError, structuredContent.code]).toEqual([200, true, 'unknown_parameter']);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['x-credits-charged']).toBe('0');
  });
});

it.each(['get', 'delete', 'put', 'patch'] as const)('the route of tools refuses %s', async (method) => {
  const answer = await fetch(`${harness.url}/v1/mcp`, { method: method.toUpperCase(), headers: bearer });
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
    405,
    'method_not_allowed',
  ]);
  expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
});
