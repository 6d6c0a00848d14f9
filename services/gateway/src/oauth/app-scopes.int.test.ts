import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createAccessToken, createApiKey, type Principal } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { routes, routeTable } from '@tds/http-api';
import { newTranscriptFor, VIDEO_ID } from '../test-support/builders.ts';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway?.stop());

type Scopes = NonNullable<Principal['scopes']>;
const send = async (scopes: Scopes, method: string, path: string, body?: object) => {
  const { bearer } = await gateway.addAccount({ scopes });
  const headers = { ...bearer, 'content-type': 'application/json' };
  const response = await fetch(gateway.url + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
};
const read = (scopes: Scopes, video: string) =>
  send(scopes, 'GET', `/v1/transcript?video_id=${video}&format=json`);

it('an app that may only read gets cached transcripts, and for others a refusal that costs and starts nothing', async () => {
  const file = JSON.stringify([{ start: 0, duration: 1, text: 'hi' }]);
  const delivered = newTranscriptFor({ videoId: VIDEO_ID, language: 'en', format: 'json' }, file);
  await gateway.cache(delivered, file);
  expect((await read(['read'], VIDEO_ID)).status).toBe(200);
  gateway.fetcher.commands.getTranscript = async ({ cacheOnly }) => {
    throw cacheOnly
      ? serviceError('transcript_not_ready', { errorClass: 'UpstreamError' })
      : serviceError('no_captions');
  };
  const { status, body, headers } = await read(['read'], 'uncached001');
  expect([status, body.code, headers.get('x-credits-charged')]).toEqual([403, 'insufficient_scope', '0']);
  const asked = gateway.fetcher.asked.filter(({ name }) => name === 'getTranscript');
  expect(asked.map(({ request }) => (request as { cacheOnly: boolean }).cacheOnly)).toEqual([true]);
  expect((await read(['read', 'fetch'], 'uncached001')).body.code).toBe('no_captions');
});

it('an app opens the routes of its scopes and no other: never keys, sessions, money or the account', async () => {
  const all: Scopes = ['read', 'fetch', 'jobs', 'monitors'];
  const closed = routeTable.filter(({ access, scope }) => access.includes('key') && scope === undefined);
  expect(closed.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['createKey', 'rotateKey', 'endConnection']),
  );
  for (const { method, path } of closed) {
    const address = path.replaceAll(/\{\w+\}/g, '01900000-0000-7000-8000-000000000001');
    const { body } = await send(all, method, address, method === 'GET' ? undefined : {});
    expect({ path, code: body.code }).toEqual({ path, code: 'insufficient_scope' });
  }
  for (const { id, method, path, scope, access } of routeTable) {
    if (scope === undefined || !access.includes('key') || id === routes.sendMcpMessage.id) continue;
    const address = path.replaceAll(/\{\w+\}/g, '01900000-0000-7000-8000-000000000001');
    const others = all.filter((one) => one !== scope);
    const { body } = await send(others, method, address, method === 'GET' ? undefined : {});
    expect({ path, code: body.code }).toEqual({ path, code: 'insufficient_scope' });
  }
});

it('an app opens no route of sessions', async () => {
  const { body, status } = await send(['read'], 'GET', '/v1/sessions');
  expect([status, body.code]).toEqual([401, 'session_required']);
});

it('a refusal names what to ask the holder for, with what the app has, unless no app may do it', async () => {
  const challenge = (scope: string) =>
    `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="https://api.example/.well-known/oauth-protected-resource/v1/mcp"`;
  const refusals = [
    await send(['read', 'fetch'], 'POST', '/v1/jobs', { video_ids: [VIDEO_ID] }),
    await send(['read'], 'GET', '/v1/transcript?video_id=uncached002&format=json'),
    await send(['read'], 'GET', '/v1/keys'),
  ];
  expect(refusals.map(({ status, headers }) => [status, headers.get('www-authenticate')])).toEqual([
    [403, challenge('read fetch jobs')],
    [403, challenge('read fetch')],
    [403, null],
  ]);
  expect(refusals[0]?.body.needed_scopes).toEqual(['read', 'fetch', 'jobs']);
});

it('a tool that the connection does not allow is refused as its route is, so that the host asks for more', async () => {
  const call = (name: string, args: object) =>
    send(['read'], 'POST', '/v1/mcp', {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    });
  const { status, body, headers } = await call('start_job', { video_ids: [VIDEO_ID] });
  expect([status, body.code]).toEqual([403, 'insufficient_scope']);
  expect(headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="read jobs"');
  expect(gateway.jobs.asked).toEqual([]);
  expect((await call('get_account', {})).body.result.isError).toBeUndefined();
});

it('an access token that has ended is 401 with the way to a new one, and a malformed one is refused unasked', async () => {
  const ask = async (token: string, path: string, method = 'GET') => {
    const response = await fetch(gateway.url + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
    });
    return [
      response.status,
      ((await response.json()) as { code: string }).code,
      response.headers.get('www-authenticate'),
    ];
  };
  const challenge = expect.stringMatching(
    /^Bearer error="invalid_token", resource_metadata="https:\/\/api\.example\//,
  );
  expect(await ask(createAccessToken(), '/v1/account')).toEqual([401, 'invalid_access_token', challenge]);
  expect(await ask(createAccessToken(), '/v1/mcp', 'POST')).toEqual([401, 'invalid_access_token', challenge]);
  for (const foreign of ['eyJhbGciOiJub25lIn0.e30.x', 'ghp_0123456789', 'a b'])
    expect(await ask(foreign, '/v1/mcp', 'POST')).toEqual([401, 'invalid_access_token', challenge]);
  expect((await ask('eyJhbGciOiJub25lIn0.e30.x', '/v1/account')).slice(0, 2)).toEqual([403, 'invalid_api_key']);
  expect((await ask(`${createApiKey()}x`, '/v1/mcp', 'POST')).slice(0, 2)).toEqual([403, 'invalid_api_key']);
  const before = gateway.identity.asked.length;
  expect(await ask(`${createAccessToken().slice(0, -1)}!`, '/v1/account')).toEqual([
    401,
    'invalid_access_token',
    challenge,
  ]);
  expect(gateway.identity.asked).toHaveLength(before);
});
