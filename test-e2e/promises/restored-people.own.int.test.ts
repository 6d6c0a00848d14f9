import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { auditBooks, openEvidence } from '@tds/audit';
import { withClient } from '@tds/servers';
import { copyDatabase, eventually } from '@tds/test-kit';
import {
  type Customer,
  call,
  dashboard,
  postJson,
  readInvitation,
  shareTestSystem,
  signInAgain,
  signUp,
  type TestSystem,
} from '#support/testing';

let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

const PEOPLE = '/v1/account/people';
const send = (method: string, path: string, who: Pick<Customer, 'cookie'>, body: object) =>
  call(system.gateway + path, {
    method,
    headers: { ...dashboard(who), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** A person joins as an owner. */
const joinAsOwner = async (owner: Customer) => {
  const email = `heir-${owner.email}`;
  expect((await send('POST', PEOPLE, owner, { email, role: 'owner' })).status).toBe(201);
  const invitation = await readInvitation(system.mail.url, email);
  const answer = await postJson(`${system.gateway}/v1/auth/invitation`, { ...invitation, accept_terms: true });
  expect(answer.status).toBe(200);
  return { email, cookie: answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '' };
};

/** Whom the account has, as one who signs in anew sees it. */
const accountOf = async (email: string) => {
  const session = await signInAgain(system, email);
  const headers = dashboard(session);
  const { account } = (await call(`${system.gateway}/v1/account`, { headers })).json<{
    account: { id: string };
  }>();
  const { people } = (await call(system.gateway + PEOPLE, { headers })).json<{
    people: { email: string; role: string }[];
  }>();
  return { id: account.id, people: people.map((one) => `${one.email} ${one.role}`) };
};

it('no account is without an owner if identity is put back while people join, leave and change roles', async () => {
  const { identity } = system.databases;
  if (!identity) throw new Error('there is no database of identity');
  const [left, demoted] = [await signUp(system), await signUp(system)];
  const copy = await copyDatabase(identity);
  const servesAgain = () =>
    eventually(async () => expect((await demoted.get('/v1/account')).status).toBe(200), { everyMs: 500 });
  await servesAgain();
  const [heir, head] = [await joinAsOwner(left), await joinAsOwner(demoted)];
  const removed = await send('DELETE', `${PEOPLE}/${left.accountId}`, heir, { work: 'end' });
  const changed = await send('PATCH', `${PEOPLE}/${demoted.accountId}`, head, { role: 'member' });
  expect([removed.status, changed.status]).toEqual([200, 200]);
  // What the broker has not heard of is lost with the database.
  await eventually(async () => {
    const answers = await Promise.all([left, demoted].map((one) => one.get('/v1/account')));
    expect(answers.map(({ status }) => status)).toEqual([403, 200]);
  });
  await copy.putBack();
  await servesAgain();
  const evidence = openEvidence((service) => String(system.databases[service]?.adminUrl), { atRest: true });
  await eventually(
    async () => {
      const sql = `SELECT email FROM people WHERE email = ANY ($1) AND role = 'owner' AND removed_at IS NULL`;
      const { rows } = await withClient(identity.adminUrl, (admin) =>
        admin.query(sql, [[left, heir, demoted, head].map(({ email }) => email)]),
      );
      expect(rows.map(({ email }) => email).toSorted()).toEqual([heir.email, head.email].toSorted());
      expect(await auditBooks(evidence)).toEqual([]);
    },
    { everyMs: 500 },
  );
  expect(await accountOf(heir.email)).toEqual({ id: left.accountId, people: [`${heir.email} owner`] });
  expect(await accountOf(head.email)).toEqual({
    id: demoted.accountId,
    people: [`${demoted.email} member`, `${head.email} owner`],
  });
  // Who has left has an account of their own.
  expect((await accountOf(left.email)).id).not.toBe(left.accountId);
  await copy.drop();
});
