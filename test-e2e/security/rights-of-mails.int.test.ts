import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { channelAt } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import { type ChatServices, startChatServices } from '@tds/webhook-dispatcher/testing';
import {
  bearer,
  type Customer,
  dashboard,
  fifteenMinutesPass,
  fileVideo,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';
import { createTeams, PEOPLE } from './teams.ts';

/** What docs/records/19-rights.md says of mails about work, and of links in mails. */

const CHANNEL_OF_TESTS = 26;
/** What the simulator says in every video. */
const SAID = 'the';
const FORMS = ['slack', 'discord', 'teams'] as const;

let system: TestSystem;
let teams: ReturnType<typeof createTeams>;
let chats: ChatServices;
beforeAll(async () => {
  [system, chats] = await Promise.all([shareTestSystem(), startChatServices()]);
  teams = createTeams(system);
});
afterAll(() => Promise.all([chats?.stop(), system?.stop()]));

/** The path of the link that ends all mails of its kind. */
const stopLinkOf = (text: string) => String(/\/v1\/mail\/stop\?link=[ei]\.\S+/.exec(text)?.[0]);

describe('the mails of work', () => {
  type Chosen = { readonly mail: string; readonly is_chosen: boolean };

  it('are those of who made it, and of who chose them in a session of theirs, each for themself', async () => {
    const owner = await teams.signUpPaid();
    const member = await teams.join(owner);
    const path = `${channelAt(CHANNEL_OF_TESTS, 1)!.handle}`;
    const made = await teams.send('POST', '/v1/monitors', bearer(member.key), { channel: path, mail: 'daily' });
    const { id } = made.json<{ monitor: { id: string } }>().monitor;
    const mail = `/v1/monitors/${id}/mail`;
    const chosen = async (person: Pick<Customer, 'cookie'>) => {
      const { mail: when, is_chosen } = (await teams.send('GET', mail, dashboard(person))).json<Chosen>();
      return { mail: when, is_chosen };
    };
    expect(await chosen(member)).toEqual({ mail: 'daily', is_chosen: false });
    expect(await chosen(owner)).toEqual({ mail: 'none', is_chosen: false });
    expect((await teams.send('PUT', mail, dashboard(owner), { mail: 'weekly' })).json()).toMatchObject({
      ...{ mail: 'weekly', is_chosen: true },
    });
    expect(await chosen(member)).toEqual({ mail: 'daily', is_chosen: false });
    // Not by a key, not for another, and nothing of another account.
    expect((await teams.send('PUT', mail, bearer(owner.key), { mail: 'now' })).json()).toMatchObject({
      code: 'session_required',
    });
    expect(
      (await teams.send('PATCH', `/v1/monitors/${id}`, dashboard(owner), { mail: 'now' })).json(),
    ).toMatchObject({ code: 'mail_of_another' });
    const stranger = dashboard(await signUp(system));
    for (const [method, body] of [['GET'], ['PUT', { mail: 'now' }]] as const) {
      expect((await teams.send(method, mail, stranger, body)).json()).toMatchObject({
        code: 'monitor_not_found',
      });
      expect((await teams.send(method, `/v1/jobs/${owner.keyId}/mail`, stranger, body)).json()).toMatchObject({
        code: 'job_not_found',
      });
    }
    expect((await teams.send('PUT', mail, dashboard(owner), { mail: 'hourly' })).json()).toMatchObject({
      code: 'invalid_mail',
    });
    // Who made it has what they said last.
    await teams.send('PUT', mail, dashboard(member), { mail: 'none' });
    expect(
      (await teams.send('PATCH', `/v1/monitors/${id}`, dashboard(member), { mail: 'now' })).json(),
    ).toMatchObject({ monitor: { mail: 'now' } });
    expect(await chosen(member)).toEqual({ mail: 'now', is_chosen: false });
    expect(await chosen(owner)).toEqual({ mail: 'weekly', is_chosen: true });
  });

  it('of a job reach who made it, and the balance of the account who pays', async () => {
    const owner = await teams.signUpPaid();
    const member = await teams.join(owner);
    await teams.send('POST', '/v1/jobs', bearer(member.key), { video_ids: [fileVideo(3)], mail: 'now' });
    const link = /Stop this one: \S+?(\/v1\/mail\/stop\?link=\S+)/.exec(
      await teams.mailed(member.email, 'Edit this one'),
    );
    expect((await teams.send('POST', String(link?.[1]), {})).text).toContain(
      'You get no more mails about this one',
    );
    expect(await teams.mailsTo(owner.email, 'Edit this one')).toEqual([]);
  });

  it('about words of one monitor reach three people, and its receivers a channel of each chat, each once', async () => {
    const owner = await teams.signUpPaid();
    const [maker, reader] = [await teams.join(owner), await teams.join(owner, 'owner')];
    const hooks = FORMS.map((form) => chats.hook(form));
    const receivers = await Promise.all(
      FORMS.map(async (form, at) => {
        const body = { name: form, form, url: hooks[at], events: ['monitor.words_found'] };
        const made = await teams.send('POST', '/v1/receivers', bearer(owner.key), body);
        return made.json<{ receiver: { id: string } }>().receiver.id;
      }),
    );
    const channel = channelAt(CHANNEL_OF_TESTS + 1, 1)!.id;
    const made = await teams.send('POST', '/v1/monitors', bearer(maker.key), {
      ...{ channel, auto_fetch: true, words: [SAID], mail: 'now', receivers },
    });
    expect([made.status, made.text]).toEqual([201, expect.anything()]);
    const path = `/v1/monitors/${made.json<{ monitor: { id: string } }>().monitor.id}/mail`;
    for (const person of [owner, reader])
      expect((await teams.send('PUT', path, dashboard(person), { mail: 'now' })).status).toBe(200);
    system.simulator.upload({ to: channel });
    await fifteenMinutesPass(system);
    await eventually(() =>
      expect(hooks.map((hook) => chats.received(hook).map(({ faults }) => faults))).toEqual([[[]], [[]], [[]]]),
    );
    for (const { email } of [owner, maker, reader])
      expect(await teams.mailed(email, 'Edit this one')).toMatch(new RegExp(`\\b${SAID}\\b`));
  });
});

describe('a link that ends mails', () => {
  const stop = (link: string) => teams.send('POST', link, {});
  const wants = async (owner: Pick<Customer, 'cookie'>) =>
    (await teams.send('GET', '/v1/account', dashboard(owner))).json<{ mail: { event_mails: boolean } }>().mail
      .event_mails;

  it('is its reader`s: used up when they are switched on again, and ended with the person', async () => {
    const owner = await teams.signUpPaid();
    const heir = await teams.join(owner, 'owner');
    await teams.send('POST', '/v1/jobs', bearer(owner.key), { video_ids: [fileVideo(1)], notify_email: true });
    const link = stopLinkOf(await teams.mailed(owner.email, '/v1/mail/stop?link='));
    expect((await stop(link)).status).toBe(200);
    expect(await wants(owner)).toBe(false);
    await teams.send('PATCH', '/v1/account/mail', dashboard(owner), { event_mails: true });
    expect((await stop(link)).json()).toMatchObject({ code: 'invalid_mail_token' });
    await teams.send('POST', '/v1/jobs', bearer(owner.key), { video_ids: [fileVideo(2)], notify_email: true });
    const next = stopLinkOf(await teams.mailed(owner.email, '/v1/mail/stop?link=', 2));
    await teams.send('DELETE', `${PEOPLE}/${owner.accountId}`, dashboard(heir), { work: 'end' });
    expect((await stop(next)).json()).toMatchObject({ code: 'invalid_mail_token' });
    expect(await wants(heir)).toBe(true);
  });

  it('of an invitation ends invitations to its address from every account', async () => {
    const [owner, other] = [await signUp(system), await signUp(system)];
    const invited = { email: `invited-${owner.email}`, role: 'member' };
    await teams.send('POST', PEOPLE, dashboard(owner), invited);
    const link = stopLinkOf(await teams.mailed(invited.email, '/v1/mail/stop?link='));
    expect((await stop(link)).status).toBe(200);
    for (const who of [owner, other])
      expect((await teams.send('POST', PEOPLE, dashboard(who), invited)).json()).toMatchObject({
        code: 'invitations_stopped',
      });
    await teams.mailed(invited.email, '/v1/mail/stop?link=');
  });
});
