import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApiKey, createSessionToken, digestSecret } from '@tds/contracts';
import { missingCredentialCode, type Route, routeTable } from '@tds/http-api';
import { goodRequests } from '@tds/http-api/testing';
import request from 'supertest';
import { newPrincipal, VIDEO_ID } from '../test-support/builders.ts';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';

const session = createSessionToken();
const cookie = `svc_dashboard=${session}`;
const dashboard = { 'x-service-dashboard': '1' };
const unknownKey = createApiKey();
let harness: TestGateway;
let goodKey: string;
let closedKey: string;
let frozenKey: string;
const frozenSession = createSessionToken();

beforeAll(async () => {
  // Each route is sent some that are none, all of them from here.
  harness = await startTestGateway({ environment: { FAILED_CREDENTIALS_PER_MINUTE: '100000' } });
  goodKey = (await harness.addAccount({ tier: 'paid' })).key;
  closedKey = (await harness.addAccount({ status: 'closed' })).key;
  frozenKey = (await harness.addAccount({ tier: 'paid', status: 'frozen' })).key;
  const principal = newPrincipal({ keyId: null });
  const frozen = newPrincipal({ keyId: null, status: 'frozen' });
  const refuse = harness.identity.commands.authenticateSession;
  harness.identity.commands.authenticateSession = async (asked, context) =>
    ({ [digestSecret(session)]: principal, [digestSecret(frozenSession)]: frozen })[asked.sessionDigest] ??
    refuse(asked, context);
});
afterAll(() => harness?.stop());

const facts = { email: 'you@example.com', videoId: VIDEO_ID };
const anId = '11111111-2222-4333-8444-555555555555';

const send = (row: Route, headers: Record<string, string | string[]>) => {
  const { search = '', body } = goodRequests[row.id as keyof typeof goodRequests](facts);
  const sent = request(harness.url)
    [row.method.toLowerCase() as 'get'](
      row.path
        .replace('{videoId}', VIDEO_ID)
        .replace('monitors/{id}', `monitors/${anId.replaceAll('-', '')}`)
        .replace(/\{\w+\}/, anId) + search,
    )
    .set(headers as never);
  return body ? sent.send(body) : sent;
};

/** No app has made the request, and nobody the job, of these routes: the session is let in, and finds none. */
const letIn = ({ path }: Route, status: number): number =>
  /\{appRequestId\}|jobs\/\{id\}/.test(path) ? 404 : status;

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const wrongChecksum = () => goodKey.slice(0, -1) + (goodKey.endsWith('0') ? '1' : '0');

describe.each(routeTable.filter(({ access }) => access === 'key').map((row) => [row.id, row] as const))(
  'key route %s',
  (_id, row) => {
    it.each<[string, () => Record<string, string | string[]>, string]>([
      ['a malformed key', () => bearer('svc_live_x'), 'invalid_api_key'],
      ['a key with a typing error', () => bearer(wrongChecksum()), 'invalid_api_key'],
      ['an unknown key', () => bearer(unknownKey), 'invalid_api_key'],
      ['another scheme', () => ({ authorization: `Basic ${goodKey}` }), 'invalid_api_key'],
      ['a bare key', () => ({ authorization: goodKey }), 'invalid_api_key'],
      ['an empty Bearer', () => ({ authorization: 'Bearer ' }), 'invalid_api_key'],
      ['the key of a closed account', () => bearer(closedKey), 'account_closed'],
      ['a session', () => ({ cookie, ...dashboard }), 'cookie_not_accepted'],
      ['a session that cannot be one', () => ({ cookie: 'svc_dashboard=x' }), 'cookie_not_accepted'],
      [
        'an unknown key and a session',
        () => ({ ...bearer(unknownKey), cookie, ...dashboard }),
        'invalid_api_key',
      ],
    ])('rejects %s', async (_what, headers, code) => {
      const answer = await send(row, headers());
      expect(answer.status).toBe(403);
      expect(answer.body.code).toBe(code);
      expect(answer.headers).not.toHaveProperty('x-credits-balance');
      expect(answer.headers).not.toHaveProperty('www-authenticate');
    });

    it('needs a credential, and tells programs of assistants where to connect', async () => {
      const { status, body, headers } = await send(row, {});
      const isAssistants = row.tag === 'Assistants';
      expect([status, body.code]).toEqual([isAssistants ? 401 : 403, missingCredentialCode(row)]);
      expect(headers['www-authenticate'] !== undefined).toBe(isAssistants);
    });

    it.each<[string, () => Record<string, string>]>([
      ['a key', () => bearer(goodKey)],
      ['a key and a session', () => ({ ...bearer(goodKey), cookie })],
      ['a key behind `bearer` in another case', () => ({ authorization: `BEARER  ${goodKey}` })],
    ])('accepts %s with the headers of the account', async (_what, headers) => {
      const answer = await send(row, headers());
      expect(answer.status).not.toBe(403);
      expect(answer.headers).toMatchObject({
        'x-credits-charged': '0',
        'x-credits-balance': '100',
        'x-ratelimit-limit': '300',
      });
    });
  },
);

describe.each(routeTable.filter(({ access }) => access === 'session').map((row) => [row.id, row] as const))(
  'session route %s',
  (_id, row) => {
    it.each<[string, () => Record<string, string>, number, string]>([
      ['nothing', () => dashboard, 401, 'session_required'],
      [
        'another cookie',
        () => ({ cookie: 'other=1; xsvc_dashboard=1', ...dashboard }),
        401,
        'session_required',
      ],
      ['a malformed session', () => ({ cookie: 'svc_dashboard=x', ...dashboard }), 401, 'session_required'],
      [
        'an ended session',
        () => ({ cookie: `svc_dashboard=${createSessionToken()}`, ...dashboard }),
        401,
        'session_required',
      ],
      ['a key', () => ({ ...bearer(goodKey), ...dashboard }), 401, 'session_required'],
      ['a key and a session', () => ({ ...bearer(goodKey), cookie, ...dashboard }), 401, 'session_required'],
    ])('rejects %s', async (_what, headers, status, code) => {
      const answer = await send(row, headers());
      expect(answer.status).toBe(status);
      expect(answer.body.code).toBe(code);
    });

    it('accepts a session without the dashboard header for reads only', async () => {
      for (const header of [{}, { 'x-service-dashboard': '0' }, { 'x-service-dashboard': 'true' }]) {
        const answer = await send(row, { cookie, ...header });
        if (row.method === 'GET') expect(answer.status).toBe(letIn(row, 200));
        else expect([answer.status, answer.body.code]).toEqual([403, 'dashboard_header_required']);
      }
    });

    it('accepts a session with the header', async () => {
      const answer = await send(row, { cookie: `a=b; ${cookie}`, ...dashboard });
      expect(answer.status).toBeLessThan(letIn(row, 299) + 1);
      expect(answer.headers).toMatchObject({ 'x-credits-charged': '0', 'x-credits-balance': '100' });
      expect(answer.headers).not.toHaveProperty('x-ratelimit-limit');
    });
  },
);

describe.each(
  routeTable.filter(({ access }) => access === 'key-or-session').map((row) => [row.id, row] as const),
)('dashboard-safe route %s', (_id, row) => {
  it.each<[string, () => Record<string, string>, number, string]>([
    ['nothing', () => dashboard, 403, 'missing_api_key'],
    ['a malformed key', () => bearer('svc_live_x'), 403, 'invalid_api_key'],
    ['an unknown key', () => bearer(unknownKey), 403, 'invalid_api_key'],
    ['the key of a closed account', () => bearer(closedKey), 403, 'account_closed'],
    ['a malformed session', () => ({ cookie: 'svc_dashboard=x', ...dashboard }), 401, 'session_required'],
    [
      'an ended session',
      () => ({ cookie: `svc_dashboard=${createSessionToken()}`, ...dashboard }),
      401,
      'session_required',
    ],
    [
      'an unknown key beside a good session',
      () => ({ ...bearer(unknownKey), cookie, ...dashboard }),
      403,
      'invalid_api_key',
    ],
  ])('rejects %s', async (_what, headers, status, code) => {
    const answer = await send(row, headers());
    expect(answer.status).toBe(status);
    expect(answer.body.code).toBe(code);
  });

  it('accepts a key, with its rate', async () => {
    const answer = await send(row, bearer(goodKey));
    expect(answer.headers).toMatchObject({ 'x-credits-balance': '100', 'x-ratelimit-limit': '300' });
  });

  it('accepts a session, without a rate; a change needs the header', async () => {
    const bare = await send(row, { cookie });
    if (row.method !== 'GET') expect(bare.body.code).toBe('dashboard_header_required');
    const answer = row.method === 'GET' ? bare : await send(row, { cookie, ...dashboard });
    expect(answer.headers['x-credits-balance']).toBe('100');
    expect(answer.headers).not.toHaveProperty('x-ratelimit-limit');
  });
});

describe.each(routeTable.filter(({ access }) => access === 'public').map((row) => [row.id, row] as const))(
  'public route %s',
  (_id, row) => {
    it('needs no credential and reads none', async () => {
      const [none, some] = [await send(row, {}), await send(row, { ...bearer('nonsense'), cookie })];
      expect(none.status).toBe(some.status);
      expect(none.headers).not.toHaveProperty('x-credits-balance');
    });
  },
);

/** Written down here, so that a route that takes an ending key by mistake is seen. */
const refusedOfEndingKeys = [
  ...['tryWords', 'createLink', 'endLink', 'createJob', 'retryJob', 'cancelJob', 'deleteJob'],
  ...['createMonitor', 'changeMonitor', 'resumeMonitor', 'cancelMonitor', 'putWebhook', 'deleteWebhook'],
  ...['sendTestEvent', 'resendDelivery', 'createReceiver', 'changeReceiver', 'deleteReceiver'],
  ...['testReceiver', 'replayReceiver', 'createKey', 'updateKey', 'revokeKey', 'rotateKey'],
  ...['endConnection', 'openPortal', 'acceptPurchase'],
];

describe.each(
  routeTable
    .filter(({ access }) => access === 'key' || access === 'key-or-session')
    .map((row) => [row.id, row] as const),
)('a key on its way out at %s', (id, row) => {
  it('is accepted for reads, and changes nothing', async () => {
    const ending = await harness.addAccount({ keyState: 'ending' });
    const answer = await send(row, bearer(ending.key));
    if (refusedOfEndingKeys.includes(id))
      expect([answer.status, answer.body.code]).toEqual([403, 'key_is_ending']);
    else expect(answer.body.code).not.toBe('key_is_ending');
    expect(answer.headers).toMatchObject({ 'x-credits-balance': '100', 'x-ratelimit-limit': '60' });
  });
});

describe('a frozen account', () => {
  /** It begins nothing and buys nothing; it reads, exports, deletes, and manages keys and sessions. */
  const refused = [
    ...['listVideos', 'listLanguages', 'resolveVideos', 'searchPage', 'createJob', 'retryJob'],
    ...['createLink', 'createMonitor', 'resumeMonitor'],
    ...['testReceiver', 'replayReceiver'],
    ...['sendTestEvent', 'resendDelivery', 'checkout', 'acceptPurchase', 'invitePerson'],
    ...['putRefill', 'openCardPage'],
  ];

  it.each(routeTable.filter(({ access }) => access !== 'public').map((row) => [row.id, row] as const))(
    'is rejected only if it would start work: %s',
    async (id, row) => {
      const cookies = { cookie: `svc_dashboard=${frozenSession}`, ...dashboard };
      const answer = await send(row, row.access === 'session' ? cookies : bearer(frozenKey));
      expect(answer.body.code === 'account_frozen').toBe(refused.includes(id));
      if (refused.includes(id)) expect(answer.status).toBe(403);
    },
  );
});
