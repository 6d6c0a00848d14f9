import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { channelAt } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import { type ChatServices, startChatServices } from '@tds/webhook-dispatcher/testing';
import { bearer, dashboard, fifteenMinutesPass, shareTestSystem, type TestSystem } from '#support/testing';
import { createTeams } from '../security/teams.ts';

const CHANNEL = channelAt(27, 1)!;
/** What the simulator says in every video. */
const SAID = 'the';
const FORMS = ['slack', 'discord', 'teams'] as const;

let system: TestSystem;
let chats: ChatServices;
beforeAll(async () => {
  [system, chats] = await Promise.all([shareTestSystem(), startChatServices()]);
});
afterAll(() => Promise.all([chats?.stop(), system?.stop()]));

it('three people of an account and a channel of each chat hear of the words of one monitor, each once', async () => {
  const teams = createTeams(system);
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
  const made = await teams.send('POST', '/v1/monitors', bearer(maker.key), {
    ...{ channel: CHANNEL.id, auto_fetch: true, words: [SAID], mail: 'now', receivers },
  });
  expect([made.status, made.text]).toEqual([201, expect.anything()]);
  const { id } = made.json<{ monitor: { id: string } }>().monitor;
  for (const person of [owner, reader]) {
    const chosen = await teams.send('PUT', `/v1/monitors/${id}/mail`, dashboard(person), { mail: 'now' });
    expect(chosen.status).toBe(200);
  }
  system.simulator.upload({ to: CHANNEL.id });
  await fifteenMinutesPass(system);
  await eventually(() => {
    const received = hooks.map((hook) => chats.received(hook).map(({ faults }) => faults));
    expect(received).toEqual(FORMS.map(() => [[]]));
  });
  for (const { email } of [owner, maker, reader]) {
    expect(await teams.mailed(email, 'Edit this one')).toMatch(new RegExp(`\\b${SAID}\\b`));
  }
});
