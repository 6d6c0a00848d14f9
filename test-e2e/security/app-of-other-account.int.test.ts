import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  appAddress,
  call,
  createBrowser,
  dashboard,
  openAppRequest,
  postJson,
  readInvitation,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

const sessionIn = (answer: Awaited<ReturnType<typeof postJson>>): string =>
  String(answer.headers.getSetCookie()[0]?.split(';', 1)[0]);
const countApps = async (cookie: string): Promise<number> => {
  const listed = await call(`${system.gateway}/v1/connections`, { headers: dashboard({ cookie }) });
  return listed.json<{ connections: unknown[] }>().connections.length;
};

it('an app is connected to the account that its page names, and to none after a switch in another tab', async () => {
  const [owner, guest] = [await signUp(system), await signUp(system)];
  const people = `${system.gateway}/v1/account/people`;
  await postJson(people, { email: guest.email, role: 'member' }, dashboard(owner));
  const invitation = await readInvitation(system.mail.url, guest.email);
  const accept = { ...invitation, accept_terms: true };
  const shown = sessionIn(await postJson(`${system.gateway}/v1/auth/invitation`, accept, dashboard(guest)));
  const page = createBrowser({ cookie: shown });
  const id = await openAppRequest(page, await appAddress(system.gateway, 'An app'));
  const toOwn = { account_id: guest.accountId };
  const other = sessionIn(
    await postJson(`${system.gateway}/v1/auth/switch`, toOwn, dashboard({ cookie: shown })),
  );
  const headers = dashboard({ cookie: page.cookie().replace(shown, other) });
  const allow = (account_id: string) =>
    postJson(
      `${system.gateway}/v1/connections/requests/${id}`,
      { allow: true, scopes: ['read'], account_id },
      headers,
    );
  const refused = await allow(owner.accountId);
  expect([refused.status, refused.json().code]).toEqual([409, 'account_changed']);
  expect([await countApps(other), await countApps(owner.cookie)]).toEqual([0, 0]);
  const allowed = await allow(guest.accountId);
  expect(allowed.status).toBe(200);
  await call(allowed.json<{ redirect_to: string }>().redirect_to, { headers });
  expect([await countApps(other), await countApps(owner.cookie)]).toEqual([1, 0]);
});
