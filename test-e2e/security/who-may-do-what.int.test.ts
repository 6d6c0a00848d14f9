import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErrorCode } from '@tds/errors';
import { keyStatesOf, missingCredentialCode, type Route, routeErrors, routeTable } from '@tds/http-api';
import { loadVideoId } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import {
  type Answer,
  bearer,
  buildRequest,
  type Customer,
  call,
  dashboard,
  operate,
  shareTestSystem,
  signInAgain,
  signUp,
  type TestSystem,
} from '#support/testing';
import { expectRefusal, expectSuccess, guarded, named } from './guarded-routes.ts';
import { createOwners, withNewKey, withPurchase } from './owners.ts';
import { type Outcomes, strangersCookie, type Visitor, visitors } from './visitors.ts';

/**
 * Every route of the table meets every kind of visitor; the row's access decides the expected answer. A new
 * route is walked as soon as it is in the table, and has to have one good request in `packages/http-api/src/testing/good-requests.ts`.
 */

let system: TestSystem;
let owners: ReturnType<typeof createOwners>;
let frozen: Customer;
let closed: Customer;
let bystander: Customer;
/** Reads what it has; of its two keys, the first one is in its hand. */
let reader: Customer;
let secondKey: Customer;
/** Their second keys end, each in its way; their sessions stay. */
let leavers: readonly Customer[];
let revokedKey: string;

const remove = (path: string, headers: Record<string, string>, body: object) =>
  call(`${system.gateway}${path}`, {
    method: 'DELETE',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const revokeOne = async (): Promise<string> => {
  const owner = await signUp(system);
  await remove(`/v1/keys/${owner.keyId}`, dashboard(owner), {});
  await eventually(async () => expect((await owner.get('/v1/keys')).status).toBe(403));
  return owner.key;
};

beforeAll(async () => {
  system = await shareTestSystem();
  owners = createOwners(system);
  [frozen, reader, closed, bystander] = await Promise.all([
    owners.equippedOwner(),
    withPurchase(system, await owners.equippedOwner()),
    signUp(system),
    signUp(system),
  ]);
  secondKey = await withNewKey(system, reader);
  leavers = await Promise.all([owners.equippedOwner(), owners.equippedOwner()]);
  // A free key has fewer requests a minute than there are routes.
  for (const { email } of leavers) await operate(system, 'set-tier', email, 'paid');
  revokedKey = await revokeOne();
  await operate(system, 'set-account-status', frozen.email, 'frozen');
  await remove('/v1/account?resource=account', dashboard(closed), { confirm: closed.email });
  // Seldom enough for the limit of requests per minute.
  const patiently = { everyMs: 500 };
  await eventually(async () => {
    const spent = await frozen.get(`/v1/transcript?video_id=${loadVideoId(9_999_999)}`);
    expect(spent.json().code).toBe('account_frozen');
    expect((await closed.get('/v1/account')).json().code).toBe('account_closed');
  }, patiently);
});
afterAll(() => system?.stop());

const send = async (row: Route, owner: Customer, headers: Record<string, string>): Promise<Answer> => {
  const { path, body } = buildRequest(row, owner);
  const type: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
  return call(`${system.gateway}${path}`, {
    method: row.method,
    headers: { ...type, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
};

const putWebhook = guarded.find(({ id }) => id === 'putWebhook') as Route;
const outcomeOf = ({ outcomes }: Visitor, row: Route) => {
  const outcome = outcomes[row.access as keyof Outcomes];
  return outcome === 'missing_api_key' ? missingCredentialCode(row) : outcome;
};

describe.each(Object.entries(visitors))('%s', (who, visitor) => {
  // Who is let in may end everything but by a read; who is refused changes nothing. Each key has a minute of its own.
  const ownerOf = async (row: Route): Promise<Customer> => {
    if (outcomeOf(visitor, row) !== 'let in') return bystander;
    if (row.method !== 'GET') return owners.ownerFor(row);
    return who === 'a good key' ? secondKey : reader;
  };
  it.each(named(guarded))('gets the answer of its kind from %s', async (_name, row) => {
    const outcome = outcomeOf(visitor, row);
    const owner = await ownerOf(row);
    const answer = await send(row, owner, visitor.headers(owner, { revokedKey, closed }));
    if (outcome === 'let in') expectSuccess(row, answer);
    else expectRefusal(answer, outcome);
  });
});

/** By the owner's session. */
const waysOut: Readonly<Record<string, (owner: Customer) => Promise<Answer>>> = {
  revoking: (owner) => remove(`/v1/keys/${owner.keyId}`, dashboard(owner), { grace_period_hours: 24 }),
  replaced: ({ keyId, ...owner }) =>
    call(`${system.gateway}/v1/keys/${keyId}/rotate`, { method: 'POST', headers: dashboard(owner) }),
};

describe.each(Object.entries(waysOut))('a %s key', (state, end) => {
  const keyRows = guarded.filter(({ access }) => access !== 'session');
  let owner: Customer;
  beforeAll(async () => {
    const leaver = leavers[Object.keys(waysOut).indexOf(state)] as Customer;
    await eventually(async () => expect((await leaver.get('/v1/account')).text).toContain('"tier":"paid"'));
    owner = await withNewKey(system, leaver);
    const change = () => send(putWebhook, owner, bearer(owner.key));
    expectSuccess(putWebhook, await change());
    expect((await end(owner)).status).toBeLessThan(300);
    // A gateway that has seen the key may let it in until the event arrives, for 30 seconds at most.
    await eventually(async () => expectRefusal(await change(), 'key_is_ending'));
  });
  it.each(named(keyRows))('reads and delivers, and changes nothing: %s', async (_name, row) => {
    const answer = await send(row, owner, bearer(owner.key));
    if (keyStatesOf(row).includes('ending')) expectSuccess(row, answer);
    else expectRefusal(answer, 'key_is_ending');
  });
});

describe('a session without the dashboard`s header', () => {
  const sessionRows = guarded.filter(({ access }) => access !== 'key');
  it.each(named(sessionRows))('may read, and nothing else: %s', async (_name, row) => {
    // Two sessions, each of which may ask 120 times a minute.
    for (const [at, value] of ['0', 'true', '1,1', ''].entries()) {
      const owner = leavers[at % 2] as Customer;
      const header: Record<string, string> = value ? { 'x-service-dashboard': value } : {};
      const answer = await send(row, owner, { cookie: owner.cookie, ...header });
      if (row.method === 'GET') expectSuccess(row, answer);
      else expectRefusal(answer, 'dashboard_header_required');
    }
  });
});

describe('a frozen account', () => {
  /** They end the credentials that the others are walked with. */
  const endings = ['rotateKey', 'revokeKey', 'switchAccount', 'endSession', 'logout'];
  const [ending, others] = [guarded.filter(isEnding), guarded.filter((row) => !isEnding(row))];
  function isEnding({ id }: Route): boolean {
    return endings.includes(id);
  }

  it.each(named(others))('reads as before and spends nothing: %s', async (_name, row) => {
    // Once updateKey has given the key a cap, it changes nothing of others.
    const headers = row.access === 'key' ? bearer(frozen.key) : dashboard(frozen);
    const answer = await send(row, frozen, headers);
    if (routeErrors(row).includes('account_frozen')) expectRefusal(answer, 'account_frozen');
    else expectSuccess(row, answer);
  });

  it('may still rotate and revoke its keys and sign out', async () => {
    expect(ending).toHaveLength(endings.length);
    const again = async () => ({ ...frozen, ...(await signInAgain(system, frozen.email)) });
    for (const id of endings) {
      const row = ending.find((one) => one.id === id) as Route;
      const who = ['logout', 'switchAccount'].includes(id) ? await again() : frozen;
      expectSuccess(row, await send(row, who, dashboard(who)));
    }
  });
});

describe('things of another account', () => {
  const notFound: Readonly<Record<string, ErrorCode>> = {
    ...{ keyId: 'key_not_found', sessionId: 'session_not_found', connectionId: 'connection_not_found' },
    appRequestId: 'connection_request_not_found',
    id: 'job_not_found',
    deliveryId: 'delivery_not_found',
    requestId: 'request_not_logged',
    purchaseId: 'purchase_not_found',
    personId: 'person_not_found',
    ...{ linkId: 'link_not_found', receiverId: 'receiver_not_found' },
    // An unknown job reveals to no visitor whether it has a video.
    videoId: 'job_not_found',
  };
  /** What is no id of a job says so. */
  const ofMalformed: Readonly<Record<string, ErrorCode>> = {
    ...notFound,
    id: 'invalid_job_id',
    videoId: 'invalid_job_id',
  };
  const ofMonitors: readonly (readonly [ErrorCode, ErrorCode])[] = [
    ['job_not_found', 'monitor_not_found'],
    ['invalid_job_id', 'invalid_monitor_id'],
  ];
  const codeFor = (code: ErrorCode | undefined, { path }: Route) =>
    (path.startsWith('/v1/monitors') && new Map(ofMonitors).get(code as ErrorCode)) || (code as ErrorCode);
  const rows = guarded.flatMap((row) =>
    [...row.path.matchAll(/\{(\w+)\}/g)].map(
      ([, name = '']) => [`${row.method} ${row.path}`, row, name] as const,
    ),
  );
  it.each(rows)('are as if they were not there: %s', async (_name, row, parameter) => {
    const [owner, other] = [await owners.strangerTo(parameter), reader];
    const ids = (id: () => string) => ({
      ...{ keyId: id(), sessionId: id(), jobId: id(), deliveryId: id(), purchaseId: id(), personId: id() },
      ...{ requestId: id(), monitorId: id().replaceAll('-', ''), connectionId: id(), appRequestId: id() },
      ...{ linkId: id(), receiverId: id() },
    });
    const nobodys = { ...other, ...ids(() => crypto.randomUUID()) };
    const malformed = { ...other, ...ids(() => 'x') };
    const headers = row.access === 'session' ? dashboard(owner) : bearer(owner.key);
    const bodies: unknown[] = [];
    for (const target of [other, nobodys, malformed]) {
      const answer = await send(row, target, headers);
      const codes = target === malformed ? ofMalformed : notFound;
      expectRefusal(answer, codeFor(codes[parameter], row));
      bodies.push({ ...answer.json<object>(), request_id: '' });
    }
    expect(bodies[1]).toEqual(bodies[0]);
    expect((await call(`${system.gateway}/v1/account`, { headers: dashboard(other) })).status).toBe(200);
  });
});

describe('a public route', () => {
  it.each(named(routeTable.filter(({ access }) => access === 'public')))(
    'looks at no credential: %s',
    async (_name, row) => {
      const owner = bystander;
      const plain = await send(row, owner, {});
      const adorned = await send(row, owner, { ...bearer('nonsense'), cookie: strangersCookie });
      expect(adorned.status).toBe(plain.status);
      // Not every public answer is JSON.
      expect(adorned.text).not.toMatch(/"(missing_api_key|invalid_api_key|session_required)"/);
    },
  );
});

describe('a key in the URL', () => {
  it.each(named(routeTable))('is refused by %s, with a good credential too', async (_name, row) => {
    const owner = bystander;
    const { path } = buildRequest(row, owner);
    const url = `${system.gateway}${path}${path.includes('?') ? '&' : '?'}api_key=${owner.key}`;
    expectRefusal(await call(url, { method: row.method, headers: bearer(owner.key) }), 'key_in_query_string');
  });
});
