import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Route } from '@tds/http-api';
import { channelAt } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import {
  type Answer,
  bearer,
  buildRequest,
  type Customer,
  call,
  dashboard,
  operate,
  postJson,
  shareTestSystem,
  type TestSystem,
} from '#support/testing';
import { expectRefusal, guarded } from './guarded-routes.ts';
import { connectApp, createOwners, withNewKey } from './owners.ts';

/**
 * What each route that changes something does by a key with a cap, or by an app with its scope, to what another key has begun. A new
 * route fails the first test until it is answered here.
 */
const effects: Readonly<
  Record<string, 'is refused' | 'begins its own' | 'is of the account' | 'changes nothing'>
> = {
  ...{
    changeMonitor: 'is refused',
    cancelMonitor: 'is refused',
    updateKey: 'is refused',
    revokeKey: 'is refused',
    endLink: 'is refused',
  },
  ...{ rotateKey: 'is refused', endConnection: 'is refused' },
  ...{ retryJob: 'is refused', cancelJob: 'is refused', deleteJob: 'is refused' },
  ...{ createJob: 'begins its own', createMonitor: 'begins its own', createKey: 'begins its own' },
  createLink: 'begins its own',
  // What was paused because its key was revoked is then its own.
  resumeMonitor: 'changes nothing',
  ...{ resolveVideos: 'changes nothing', tryWords: 'changes nothing', sendMcpMessage: 'changes nothing' },
  // Its other form, a refund: rights-of-money.
  checkout: 'changes nothing',
  ...{
    putWebhook: 'is of the account',
    deleteWebhook: 'is of the account',
    sendTestEvent: 'is of the account',
  },
  ...{ resendDelivery: 'is of the account', acceptPurchase: 'is of the account' },
  ...{ createReceiver: 'is of the account', changeReceiver: 'is of the account' },
  ...{ deleteReceiver: 'is of the account', testReceiver: 'is of the account' },
  replayReceiver: 'is of the account',
};
const changing = guarded.filter(({ method, access }) => method !== 'GET' && access !== 'session');
const refused = changing.filter(({ id }) => effects[id] === 'is refused');

const scopesOfApps = [['read'], ['read', 'fetch'], ['read', 'jobs'], ['read', 'monitors']] as const;
type App = { readonly token: string; readonly connectionId: string };

let system: TestSystem;
/** Its first key, without a cap, has begun what it has. */
let house: Customer;
let cappedKey: Customer;
let apps: App[];

const send = (row: Route, owner: Customer, secret: string): Promise<Answer> => {
  const { path, body } = buildRequest(row, owner);
  return call(system.gateway + path, {
    method: row.method,
    headers: { 'content-type': 'application/json', ...bearer(secret) },
    ...(body && { body: JSON.stringify(body) }),
  });
};

/** All that the account has, as its holder sees it. */
const readAll = async () => {
  const { monitorId, jobId } = house;
  const paths = [`monitors/${monitorId}`, `jobs/${jobId}`, 'connections', 'keys', 'links'];
  const answers = await Promise.all(paths.map((path) => house.get(`/v1/${path}`)));
  return JSON.parse(
    JSON.stringify(
      answers.map((answer) => answer.json()),
      withoutUse,
    ),
  );
};
const withoutUse = (name: string, value: unknown) =>
  /^(last_used_at|last_checked_at|next_check_at|new_videos|request_id)$/.test(name) ? undefined : value;

beforeAll(async () => {
  system = await shareTestSystem();
  house = await createOwners(system).equippedOwner();
  await operate(system, 'set-tier', house.email, 'paid');
  await eventually(async () =>
    expect((await house.get('/v1/account')).json()).toMatchObject({ account: { tier: 'paid' } }),
  );
  cappedKey = await withNewKey(system, house, 1);
  apps = [];
  for (const scopes of scopesOfApps)
    apps.push(await connectApp(system, house, scopes, scopes.length > 1 ? 1 : null));
});
afterAll(() => system?.stop());

describe('a route that changes something', () => {
  it('says what it does to what another key has begun', () => {
    expect(Object.keys(effects).toSorted()).toEqual(changing.map(({ id }) => id).toSorted());
  });

  it('changes nothing of that by a key with a cap, or by an app with any scope', async () => {
    const before = await readAll();
    for (const row of refused)
      expectRefusal(
        await send(row, house, cappedKey.key),
        row.id === 'rotateKey' ? 'cap_needs_session' : 'begun_by_another_key',
      );
    for (const [at, { token }] of apps.entries())
      for (const row of changing.filter(({ id }) => effects[id] !== 'begins its own')) {
        const mayAsk = row.scope !== undefined && (scopesOfApps[at] as readonly string[]).includes(row.scope);
        const answer = await send(row, house, token);
        if (!mayAsk) expectRefusal(answer, 'insufficient_scope');
        else if (effects[row.id] === 'is refused') expectRefusal(answer, 'begun_by_another_key');
        else expect(answer.status).toBe(200);
      }
    expect(await readAll()).toEqual(before);
  });
});

type Monitor = { id: string; status: string; pause_reason: string | null; key_id: string | null };
const watch = async (secret: string, channel: number) => {
  const asked = { channel: channelAt(channel, 1)!.handle };
  const made = await postJson(`${system.gateway}/v1/monitors`, asked, bearer(secret));
  expect({ status: made.status, answer: made.json() }).toMatchObject({ status: 201 });
  return made.json<{ monitor: Monitor }>().monitor;
};
const change = async ({ id }: Monitor, headers: Record<string, string>) => {
  const answer = await call(`${system.gateway}/v1/monitors/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ auto_fetch: true, words: ['the'] }),
  });
  return answer.json<{ monitor: Monitor }>().monitor;
};
const end = (path: string) => call(system.gateway + path, { method: 'DELETE', headers: dashboard(house) });

describe('a monitor', () => {
  it('is paid for by who last made it fetch, and ends with that one', async () => {
    const watcher = apps.at(-1) as App;
    const uncapped = await withNewKey(system, house);
    const begun = [cappedKey.key, watcher.token, watcher.token, cappedKey.key];
    const monitors = await Promise.all(begun.map((secret, at) => watch(secret, 20 + at)));
    const by = [bearer(watcher.token), bearer(uncapped.key), dashboard(house)];
    const [ofApp, ofKey, ofAccount] = [monitors[1]!, monitors[2]!, monitors[3]!];
    const changed = [await change(ofApp, by[0]!), await change(ofKey, by[1]!), await change(ofAccount, by[2]!)];
    expect(changed.map(({ key_id }) => key_id)).toEqual([
      ...[watcher.connectionId, uncapped.keyId, expect.any(String)],
    ]);

    await end(`/v1/connections/${watcher.connectionId}`);
    await end(`/v1/keys/${cappedKey.keyId}`);
    await eventually(async () => {
      const { monitors: listed } = (await house.get('/v1/monitors')).json<{ monitors: Monitor[] }>();
      const reasons = [...monitors, { id: house.monitorId }].map(
        ({ id }) => listed.find((one) => one.id === id)?.pause_reason,
      );
      expect(reasons).toEqual(['key_revoked', 'key_revoked', null, null, null]);
    });
  });
});
