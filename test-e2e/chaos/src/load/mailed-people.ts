import { channelAt } from '@tds/simulators/platform';
import { until } from '#support';
import type { Harness, MailedPerson } from '../harness.ts';
import { insist } from './insist.ts';
import { keepDoing } from './keep-doing.ts';
import { signUpRich } from './rich-customer.ts';
import { FIRST_GROWING } from './scene.ts';
import { by, bySession } from './transcript-calls.ts';

const EVERY_MS = 5_000;
/** When the one who refuses and the one who leaves do so. */
const CHANGE_AFTER_MS = 40_000;
const CATALOGUE_SEED = 1;
/** A channel that no other monitor watches. */
const WATCHED = FIRST_GROWING + 4;
const [OK, CREATED] = [200, 201];
const WITHIN = { withinMs: 60_000, everyMs: 500 };

type Session = { readonly accountId: string; readonly cookie: string };
type Member = Session & { readonly personId: string; readonly email: string };

const isMailed = async ({ mails, system }: Pick<Harness, 'mails' | 'system'>, email: string) => {
  const answer = await fetch(`${system.mail.url}/messages?to=${encodeURIComponent(email)}`);
  const caught = (await answer.json()) as { id: number; text: string; receivedAt: string }[];
  // The catcher keeps the newest of everybody.
  for (const { id, text, receivedAt } of caught) mails.caught.set(id, { email, text, receivedAt });
  return caught;
};

/** What has come to the people of the load is kept. An idle connection to the catcher may end just as it is used again. */
export const keepMails = async (harness: Pick<Harness, 'mails' | 'system'>): Promise<void> => {
  for (const { email } of harness.mails.people) await isMailed(harness, email).catch(() => {});
};

const join = async (harness: Harness, owner: Session, email: string): Promise<Member> => {
  const { gateway } = harness.system;
  const asked = { about: 'person', ...bySession(owner) };
  const people = { ...asked, url: `${gateway}/v1/account/people` };
  await insist(harness, { ...people, body: { email, role: 'member' } }, CREATED);
  let text = '';
  await until(async () => {
    text =
      (await isMailed(harness, email))
        .map((mail) => mail.text)
        .findLast((one) => one.includes('invitation=')) ?? '';
    return text !== '';
  }, WITHIN);
  const invitation_id = /invitation=([\w-]{36})/.exec(text)?.[1];
  const code = /^(?:\w{4}-){2}\w{4}$/m.exec(text)?.[0];
  const body = { invitation_id, code, accept_terms: true };
  const joined = await insist(harness, { url: `${gateway}/v1/auth/invitation`, about: 'person', body }, OK);
  const cookie = joined.headers.get('set-cookie')?.split(';')[0] ?? '';
  harness.customers.secrets.add(String(cookie.split('=')[1]));
  const listed = await insist(harness, people, OK);
  const all = listed.json?.people as { id: string; email: string }[];
  return {
    accountId: owner.accountId,
    cookie,
    email,
    personId: String(all.find((one) => one.email === email)?.id),
  };
};

/** Resolves to when the choice was acknowledged. */
const choose = async (harness: Harness, member: Session, mail: 'now' | 'none'): Promise<number> => {
  const { system, mails } = harness;
  const url = `${system.gateway}/v1/monitors/${mails.monitorId}/mail`;
  await insist(harness, { url, about: 'mail', ...bySession(member), method: 'PUT', body: { mail } }, OK);
  return Date.now();
};

/** Of an account whose owner has made a monitor, and is mailed by it. */
const openTeam = async (harness: Harness) => {
  const { system, mails, uploads } = harness;
  const owner = await signUpRich(harness);
  const channel = String(channelAt(WATCHED, CATALOGUE_SEED)?.id);
  const { headers, ...who } = by(owner);
  const asked = { kind: 'monitor' as const, about: channel, url: `${system.gateway}/v1/monitors`, ...who };
  const { json } = await insist(
    harness,
    {
      ...asked,
      headers: { ...headers, 'idempotency-key': `monitor of mails ${channel}` },
      body: { channel, auto_fetch: false, mail: 'now' },
    },
    CREATED,
  );
  mails.monitorId = String((json?.monitor as { id: string } | undefined)?.id);
  uploads.set(channel, []);
  mails.people.push({ personId: owner.accountId, email: owner.email, from: Date.now(), until: null });
  const member = async (name: string, isMailedBy: boolean): Promise<[Member, MailedPerson]> => {
    const joined = await join(harness, owner, `${name}-${owner.email}`);
    const from = isMailedBy ? await choose(harness, joined, 'now') : null;
    const person: MailedPerson = { personId: joined.personId, email: joined.email, from, until: null };
    mails.people.push(person);
    return [joined, person];
  };
  await member('chooses', true);
  await member('silent', false);
  return { owner, refuses: await member('refuses', true), leaves: await member('leaves', true) };
};

/** People of one account, of whom each decides which mails of a monitor come: one refuses them later, and one is removed. */
export const keepMailing = async (
  harness: Harness,
  isOver: () => boolean,
): Promise<{ end(): Promise<void> }> => {
  const { history, system } = harness;
  const { owner, refuses, leaves } = await openTeam(harness);
  const changeAt = history.now() + CHANGE_AFTER_MS;
  const change = async (): Promise<void> => {
    refuses[1].until = await choose(harness, refuses[0], 'none');
    const url = `${system.gateway}/v1/account/people/${leaves[0].personId}`;
    const asked = {
      url,
      about: 'person',
      ...bySession(owner),
      method: 'DELETE',
      body: { work: 'pass_on' },
    } as const;
    await insist(harness, asked, OK);
    leaves[1].until = Date.now();
  };
  let isChanged = false;
  const look = async (): Promise<void> => {
    if (!isChanged && history.now() > changeAt) {
      isChanged = true;
      await change();
    }
    await keepMails(harness);
  };
  const running = keepDoing(look, EVERY_MS, isOver);
  return { end: () => running };
};
