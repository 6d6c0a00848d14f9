import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEvidence } from '@tds/audit';
import { channelAt } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import {
  bearer,
  booksAgree,
  type Customer,
  call,
  dashboard,
  fifteenMinutesPass,
  postJson,
  putJson,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

const CHANNEL_OF_TESTS = 3;
const SEED = 1;
const channel = channelAt(CHANNEL_OF_TESTS, SEED)!;

let system: TestSystem;
let customer: Customer;
beforeAll(async () => {
  system = await shareTestSystem();
  customer = await signUp(system);
});
afterAll(() => system?.stop());

type Made = { idempotent: boolean; monitor: { id: string } };
type Body = { type: string; data: { monitor_id: string | null; videos?: { video_id: string }[] } };

const monitors = () => `${system.gateway}/v1/monitors`;
const key = () => bearer(customer.key);
const create = (body: object) =>
  postJson(monitors(), body, { ...key(), 'idempotency-key': 'the monitor of the story' });
const configure = async () => {
  const answer = await putJson(`${system.gateway}/v1/webhooks`, { url: system.receiver.hookUrl }, key());
  const { webhook_secret: secret } = answer.json<{ webhook_secret?: string }>();
  if (secret) system.receiver.addSecret(secret);
};
const bodiesOf = (type: string): Body[] =>
  system.receiver
    .received()
    .map(({ body }) => JSON.parse(body) as Body)
    .filter((body) => body.type === type);
const reported = () =>
  bodiesOf('channel.new_videos').flatMap(({ data }) => data.videos?.map((video) => video.video_id) ?? []);
const monitorOf = async (id: string) =>
  (await customer.get(`/v1/monitors/${id}`)).json<{ monitor: Record<string, unknown> }>().monitor;
/** As often as a free account may ask. */
const gently = { everyMs: 1_500 };

describe('a customer who watches a channel', () => {
  it('hears of each new video once, has its transcript by a job that names the monitor, loses nothing while paused, and stops: its jobs stay', async () => {
    await configure();
    const made = await create({ channel: channel.handle, auto_fetch: true });
    expect(made.status).toBe(201);
    const { id } = made.json<Made>().monitor;
    const again = await create({ playlist: 'PLsomethingElse00', auto_fetch: false });
    expect([again.status, again.json()]).toMatchObject([200, { idempotent: true, monitor: { id } }]);

    const first = system.simulator.upload({ to: channel.id, count: 2, title: 'Talk' }).toReversed();
    await fifteenMinutesPass(system);
    await eventually(() => expect(reported()).toEqual(first));
    await eventually(() => expect(bodiesOf('job.completed')).toMatchObject([{ data: { monitor_id: id } }]));
    expect(system.receiver.received().every(({ isVerified }) => isVerified)).toBe(true);
    const { jobs } = (await customer.get('/v1/jobs')).json<{
      jobs: { id: string; monitor_id: string; credits: object }[];
    }>();
    expect(jobs).toMatchObject([{ monitor_id: id, credits: { charged: 2 }, counts: { fetched: 2 } }]);
    const job = `/v1/jobs/${jobs[0]?.id}`;
    expect((await customer.get(job)).json()).toMatchObject({ job: { monitor_id: id } });
    expect((await customer.get(`${job}/manifest`)).json()).toMatchObject({ monitor_id: id });
    const deliveries = (await customer.get(`/v1/webhooks/deliveries?monitor_id=${id}`)).json<{
      deliveries: { event: string }[];
    }>();
    expect(deliveries.deliveries.map(({ event }) => event).toSorted()).toEqual([
      ...['channel.new_videos', 'job.completed'],
    ]);

    await call(`${system.gateway}/v1/webhooks`, { method: 'DELETE', headers: key() });
    await eventually(async () => expect((await monitorOf(id)).pause_reason).toBe('webhook_missing'), gently);
    const missed = system.simulator.upload({ to: channel.id, count: 20 }).toReversed();
    await fifteenMinutesPass(system);
    await eventually(async () => expect((await monitorOf(id)).new_videos).toBe(22), gently);
    expect(reported()).toEqual(first);
    await configure();
    await eventually(() => expect(reported()).toEqual([...first, ...missed]));
    await eventually(() => expect(bodiesOf('job.completed')).toHaveLength(2));
    expect(await monitorOf(id)).toMatchObject({ status: 'active', pause_reason: null });

    const addressOf = (service: string): string => String(system.databases[service]?.adminUrl);
    await booksAgree(openEvidence(addressOf, { atRest: true }));

    const stopped = await call(`${monitors()}/${id}`, { method: 'DELETE', headers: dashboard(customer) });
    expect(stopped.json()).toMatchObject({ ok: true, monitor: { status: 'cancelled', new_videos: 22 } });
    // What was begun for it is as it was.
    const left = (await customer.get('/v1/jobs')).json<{ jobs: { status: string }[] }>().jobs;
    expect(left.map(({ status }) => status)).toEqual(['completed', 'completed']);
    const balance = (await customer.get('/v1/account')).headers.get('x-credits-balance');
    expect(balance).toBe('78');
  });
});
