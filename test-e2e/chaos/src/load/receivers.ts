import { randomUUID } from 'node:crypto';
import type { ReceiverEvent, ReceiverForm } from '@tds/contracts';
import { channelAt, giantVideoId } from '@tds/simulators/platform';
import type { Harness, LoadReceiver } from '../harness.ts';
import type { Customer } from './customers.ts';
import { makeCall } from './http-call.ts';
import { insist } from './insist.ts';
import { keepDoing } from './keep-doing.ts';
import { signUpRich } from './rich-customer.ts';
import { FIRST_GROWING } from './scene.ts';
import { by } from './transcript-calls.ts';

const EVERY_MS = 3_000;
const CATALOGUE_SEED = 1;
const CREATED = 201;
/** The oldest videos of the giant channel, which no other call reads soon. */
const LAST_VIDEO = 19_999;
const VIDEOS = 1_000;

type Wanted = Pick<LoadReceiver, 'form' | 'events' | 'namedOnly'>;
const ofJobs: ReceiverEvent[] = ['job.completed', 'job.failed'];
const WANTED: readonly Wanted[] = [
  { form: 'signed', events: [...ofJobs, 'channel.new_videos'], namedOnly: false },
  { form: 'signed', events: [...ofJobs, 'channel.new_videos'], namedOnly: true },
  { form: 'slack', events: ofJobs, namedOnly: false },
  { form: 'discord', events: ['channel.new_videos'], namedOnly: false },
  { form: 'teams', events: [...ofJobs, 'channel.new_videos'], namedOnly: true },
];

/** What a server does that fails now and then. A body in a 200 would be an error of Slack. */
const chooseScript = (form: ReceiverForm): string => (form === 'signed' ? '500,reset,200' : '500,204');

const create = async ({ history, system, customers }: Harness, customer: Customer, wanted: Wanted) => {
  const { receiver, gateway } = system;
  // The address of a chat is a secret.
  const place = randomUUID();
  if (wanted.form !== 'signed') customers.secrets.add(place);
  const path = `/hooks/${customer.accountId}/${wanted.form}/${place}?script=${chooseScript(wanted.form)}`;
  const { json, record } = await makeCall(history, {
    ...{ kind: 'begin', about: `receiver ${wanted.form}`, url: `${gateway}/v1/receivers`, ...by(customer) },
    body: {
      ...{ name: `Room ${wanted.form}`, form: wanted.form, url: new URL(path, receiver.hookUrl).href },
      ...{ events: wanted.events, named_only: wanted.namedOnly },
    },
  });
  if (record.status !== CREATED) throw new Error(`no receiver: ${record.status} ${record.code}`);
  if (wanted.form === 'signed') {
    const secret = String(json?.receiver_secret);
    receiver.addSecret(secret);
    customers.secrets.add(secret);
  }
  const made = json?.receiver as { id: string };
  return { ...wanted, id: made.id, path, accountId: customer.accountId };
};

/** Monitors of a channel that grows, one for all receivers and one that names some, with and without jobs. */
const watch = async (harness: Harness, customer: Customer, named: readonly string[]) => {
  const [first, second] = [FIRST_GROWING + 1, FIRST_GROWING + 2].map((at) => channelAt(at, CATALOGUE_SEED)?.id);
  const { headers, ...who } = by(customer);
  for (const body of [
    { channel: first, auto_fetch: true },
    { channel: second, auto_fetch: false, receivers: named },
  ]) {
    const about = String(body.channel);
    const asked = {
      kind: 'monitor' as const,
      url: `${harness.system.gateway}/v1/monitors`,
      about,
      body,
      ...who,
    };
    const idempotent = { ...headers, 'idempotency-key': `monitor of receivers ${about}` };
    await insist(harness, { ...asked, headers: idempotent }, CREATED);
    harness.uploads.set(about, harness.uploads.get(about) ?? []);
  }
};

/** A customer without a webhook, whose receivers hear of jobs and new videos while the system is hurt; some of these name receivers. */
export const keepReceiving = async (
  harness: Harness,
  isOver: () => boolean,
): Promise<{ end(): Promise<void> }> => {
  const { history, system, receivers } = harness;
  const customer = await signUpRich(harness);
  for (const wanted of WANTED) receivers.push(await create(harness, customer, wanted));
  const named = receivers.filter(({ namedOnly }) => namedOnly).map(({ id }) => id);
  await watch(harness, customer, named);
  const choices = [[], named, receivers.slice(-2).map(({ id }) => id)];
  const { headers, ...who } = by(customer);
  const begin = (number: number) => {
    const key = `job of receivers ${number}`;
    const video = giantVideoId(LAST_VIDEO - (number % VIDEOS));
    return makeCall(history, {
      ...{ kind: 'job', url: `${system.gateway}/v1/jobs`, about: key, ...who },
      body: { video_ids: [video, 'private_001'], receivers: choices[number % choices.length] },
      headers: { ...headers, 'idempotency-key': key },
      shown: (answer) => answer.job,
    });
  };
  const running = keepDoing(begin, EVERY_MS, isOver);
  return { end: () => running };
};
