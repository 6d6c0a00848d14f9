import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Customer,
  call,
  dashboard,
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

type Session = Pick<Customer, 'cookie' | 'sessionId'>;
const ask = (session: Session, method = 'GET', path = '') =>
  call(`${system.gateway}/v1/sessions${path}`, { method, headers: dashboard(session) });
const listed = async (session: Session) =>
  (await ask(session)).json<{ sessions: { id: string; current: boolean }[] }>().sessions;

describe('a customer who has lost a device', () => {
  it('sees the sessions of the account, without secrets, and ends one or all others, at once and for good', async () => {
    const own = await signUp(system);
    const [lost, stolen] = [await signInAgain(system, own.email), await signInAgain(system, own.email)];
    const stranger = await signUp(system);
    const all = await listed(own);
    expect(new Set(all.map(({ id }) => id))).toEqual(
      new Set([own, lost, stolen].map(({ sessionId }) => sessionId)),
    );
    expect(all.filter(({ current }) => current).map(({ id }) => id)).toEqual([own.sessionId]);
    expect(JSON.stringify(all)).not.toContain(own.cookie.split('=')[1]);

    expect((await ask(own, 'DELETE', `/${lost.sessionId}`)).json()).toMatchObject({ ended: 1 });
    expect((await ask(lost)).json()).toMatchObject({ code: 'session_required' });
    expect((await ask(own, 'DELETE', `/${lost.sessionId}`)).json()).toMatchObject({
      code: 'session_not_found',
    });
    expect((await ask(own, 'DELETE')).json()).toMatchObject({ ended: 1 });
    expect((await ask(stolen)).json()).toMatchObject({ code: 'session_required' });
    expect((await ask(own, 'DELETE')).json()).toMatchObject({ ended: 0 });

    expect((await listed(own)).map(({ id }) => id)).toEqual([own.sessionId]);
    expect(await listed(stranger)).toHaveLength(1);
    expect((await own.get('/v1/account')).status).toBe(200);
  });
});
