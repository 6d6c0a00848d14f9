import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import {
  bearer,
  type Customer,
  call,
  dashboard,
  operate,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';
import { connectApp, withNewKey } from './owners.ts';

/** The row of receivers in docs/records/19-rights.md, from HTTP to the server that receives. */

let system: TestSystem;
let owner: Customer;
type Headers = Record<string, string>;
type Receiver = { id: string; enabled: boolean; url: string };

const send = (method: string, path: string, headers: Headers, body?: object) =>
  call(system.gateway + path, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
const make = async (headers: Headers, path: string, form = 'signed') => {
  const body = { name: 'Newsroom', form, url: system.receiver.hookUrl + path, events: ['job.completed'] };
  return (await send('POST', '/v1/receivers', headers, body)).json<{
    receiver: Receiver;
    receiver_secret?: string;
    code?: string;
  }>();
};

beforeAll(async () => {
  system = await shareTestSystem();
  owner = await signUp(system);
  await operate(system, 'set-tier', owner.email, 'paid');
});
afterAll(() => system?.stop());

describe('a receiver', () => {
  it('is of the account: a session, and keys with and without a cap, make, test and end it; no app does', async () => {
    const capped = bearer((await withNewKey(system, owner, 1)).key);
    const app = bearer((await connectApp(system, owner, ['read', 'fetch', 'jobs', 'monitors'], 5)).token);
    for (const headers of [bearer(owner.key), capped, dashboard(owner)]) {
      const path = `/${crypto.randomUUID()}`;
      const { receiver, receiver_secret: secret = '' } = await make(headers, path);
      system.receiver.addSecret(secret);
      const at = `/v1/receivers/${receiver.id}`;
      expect((await send('POST', `${at}/test`, headers)).status).toBe(202);
      await eventually(() => expect(system.receiver.received(path)).toMatchObject([{ isVerified: true }]));
      expect((await send('GET', at, capped)).json()).toMatchObject({ receiver: { enabled: true } });
      expect((await send('DELETE', at, capped)).status).toBe(200);
      expect((await send('GET', at, bearer(owner.key))).json()).toMatchObject({ code: 'receiver_not_found' });
    }
    expect((await make(app, '/app')).code).toBe('insufficient_scope');
    expect((await send('GET', '/v1/receivers', app)).json()).toMatchObject({ code: 'insufficient_scope' });
  });

  it('stays when its key is revoked, and its chat address is shown to nobody', async () => {
    const path = `/${crypto.randomUUID()}`;
    const { key, keyId } = await withNewKey(system, owner);
    const { receiver } = await make(bearer(key), path, 'slack');
    expect(receiver.url).not.toContain(path);
    expect((await send('DELETE', `/v1/keys/${keyId}`, dashboard(owner), {})).status).toBe(200);
    const at = `/v1/receivers/${receiver.id}`;
    const test = await send('POST', `${at}/test`, bearer(owner.key));
    expect([test.status, test.text.includes(path)]).toEqual([202, false]);
    await eventually(() => expect(system.receiver.received(path)).toHaveLength(1));
    const changed = await send('PATCH', at, bearer(owner.key), { name: 'Renamed' });
    expect(changed.json()).toMatchObject({ receiver: { name: 'Renamed', url: receiver.url } });
  });

  it('of a frozen account can be read and ended, and begins nothing', async () => {
    const frozen = await signUp(system);
    const { receiver } = await make(bearer(frozen.key), '/frozen');
    await operate(system, 'set-account-status', frozen.email, 'frozen');
    const at = `/v1/receivers/${receiver.id}`;
    await eventually(async () => {
      const refused = await send('POST', `${at}/test`, bearer(frozen.key));
      expect(refused.json()).toMatchObject({ code: 'account_frozen' });
    });
    expect((await send('GET', at, bearer(frozen.key))).status).toBe(200);
    expect((await send('DELETE', at, bearer(frozen.key))).status).toBe(200);
  });
});
