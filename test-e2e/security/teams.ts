import { expect } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import {
  type Answer,
  type Customer,
  call,
  dashboard,
  operate,
  postJson,
  readInvitation,
  signUp,
  type TestSystem,
} from '#support/testing';
import { withNewKey } from './owners.ts';

export const PEOPLE = '/v1/account/people';
type Headers = Record<string, string>;
type Person = { readonly id: string; readonly email: string; readonly role: string };
type Mail = { readonly text: string; readonly subject: string };

/** The people of accounts on a system, what they send, and what is mailed to them. */
export const createTeams = (system: TestSystem) => {
  const send = (method: string, path: string, headers: Headers, body?: object): Promise<Answer> =>
    call(system.gateway + path, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  const peopleOf = async (owner: Pick<Customer, 'cookie'>) =>
    (await send('GET', PEOPLE, dashboard(owner))).json<{ people: Person[] }>().people;
  const mailsTo = async (email: string, words: string): Promise<Mail[]> =>
    (await call(`${system.mail.url}/messages?to=${encodeURIComponent(email)}`))
      .json<Mail[]>()
      .filter(({ text, subject }) => `${subject}\n${text}`.includes(words));
  return {
    ...{ send, peopleOf, mailsTo },
    signUpPaid: async () => {
      const owner = await signUp(system);
      await operate(system, 'set-tier', owner.email, 'paid');
      await eventually(
        async () =>
          expect((await owner.get('/v1/account')).json()).toMatchObject({ account: { tier: 'paid' } }),
        { everyMs: 500 },
      );
      return owner;
    },
    /** A person who has joined, with a key. */
    join: async (owner: Customer, role: 'owner' | 'member' = 'member') => {
      const email = `${role}-${owner.email}`;
      expect((await send('POST', PEOPLE, dashboard(owner), { email, role })).status).toBe(201);
      const invitation = await readInvitation(system.mail.url, email);
      const answer = await postJson(`${system.gateway}/v1/auth/invitation`, {
        ...{ ...invitation, accept_terms: true },
      });
      const cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
      const id = String((await peopleOf(owner)).find((one) => one.email === email)?.id);
      return { ...(await withNewKey(system, { ...owner, email, cookie })), personId: id };
    },
    mailed: (email: string, words: string, count = 1) =>
      eventually(async () => {
        const mails = await mailsTo(email, words);
        expect(mails).toHaveLength(count);
        // Without what keeps mail programs from making links of addresses.
        return (mails.at(-1)?.text ?? '').replaceAll('\u2060', '');
      }),
  };
};
