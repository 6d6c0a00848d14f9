import { expect } from '@jest/globals';
import {
  type Answer,
  type Customer,
  call,
  dashboard,
  postJson,
  readInvitation,
  signInAgain,
  signUp,
  type TestSystem,
} from '#support/testing';

export type Send = (
  method: string,
  at: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<Answer>;

const PEOPLE = '/v1/account/people';

/** Somebody with an account of their own is invited, joins, switches between both, and is removed. */
export const usePeople = async (system: TestSystem, owner: Customer, send: Send): Promise<void> => {
  const alex = await signUp(system, 'alex@example.com');
  const byOwner = dashboard(owner);
  await send('POST', PEOPLE, { email: alex.email, role: 'member', daily_credit_cap: 50 }, byOwner);
  const listed = await send('GET', PEOPLE, undefined, byOwner);
  expect(listed.json()).toMatchObject({ invitations: [{ email: alex.email }] });
  const invitation = await readInvitation(system.mail.url, alex.email);
  // An address that has an account is signed in to it first.
  const refused = await postJson(`${system.gateway}/v1/auth/invitation`, { ...invitation, accept_terms: true });
  expect(refused.json()).toMatchObject({ code: 'sign_in_required' });
  await send('POST', '/v1/auth/invitation', { ...invitation, accept_terms: true }, dashboard(alex));
  const joined = await call(system.gateway + PEOPLE, { headers: byOwner });
  const { people } = joined.json<{ people: { id: string; email: string }[] }>();
  const person = `${PEOPLE}/${people.find(({ email }) => email === alex.email)?.id}`;
  await send('PATCH', person, { role: 'owner' }, byOwner);
  const session = await signInAgain(system, alex.email);
  await send('GET', '/v1/account', undefined, dashboard(session));
  await send('POST', '/v1/auth/switch', { account_id: alex.accountId }, dashboard(session));
  await send('DELETE', person, { work: 'pass_on' }, byOwner);
  await send('GET', '/v1/account/audit?limit=2', undefined, byOwner);
};
