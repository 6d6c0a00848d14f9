import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withClient } from '@tds/servers';
import { channelAt } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import {
  bearer,
  type Customer,
  call,
  dashboard,
  fifteenMinutesPass,
  postJson,
  putJson,
  shareTestSystem,
  signUp,
  type TestSystem,
  waitingRows,
} from '#support/testing';
import { connectApp } from './owners.ts';

const CAP = 3;
const scopes = ['read', 'fetch', 'jobs', 'monitors'];
/** As often as a free account may ask. */
const gently = { everyMs: 1_500 };

let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

const inDatabase = (service: string, text: string, values: unknown[] = []) =>
  withClient(String(system.databases[service]?.adminUrl), (admin) => admin.query(text, values));

type Body = { type: string; data: { videos?: { video_id: string }[] } };
const heardAt = (path: string): Body[] =>
  system.receiver.received(path).map(({ body }) => JSON.parse(body) as Body);
const changesAt = (path: string) =>
  heardAt(path).flatMap(({ data }) => data.videos?.map((video) => video.video_id) ?? []);

/** A customer with a webhook, whose app with a cap watches a channel and hears of it at its own address. */
const watchedByApp = async (channel: number) => {
  const customer = await signUp(system);
  const { id: channelId, handle } = channelAt(channel, 1)!;
  const [own, app] = [`/${customer.accountId}/own`, `/${customer.accountId}/app`];
  await putJson(`${system.gateway}/v1/webhooks`, { url: system.receiver.hookUrl + own }, dashboard(customer));
  const { token, connectionId } = await connectApp(system, customer, scopes, CAP);
  const asked = { channel: handle, auto_fetch: true, webhook_url: system.receiver.hookUrl + app };
  const made = await postJson(`${system.gateway}/v1/monitors`, asked, bearer(token));
  expect(made.status).toBe(201);
  const monitorId = made.json<{ monitor: { id: string } }>().monitor.id;
  return { customer, own, app, monitorId, channelId, connectionId };
};
type WatchedByApp = Awaited<ReturnType<typeof watchedByApp>>;

type Monitor = { pause_reason: string | null; new_videos: number };
const monitorOf = async ({ customer, monitorId }: WatchedByApp) =>
  (await customer.get(`/v1/monitors/${monitorId}`)).json<{ monitor: Monitor }>().monitor;
type JobOfMonitor = { id: string; pause_reason: string | null; credits: { charged: number } };
const jobsOf = async ({ customer, monitorId }: WatchedByApp) =>
  (await customer.get(`/v1/jobs?monitor_id=${monitorId}`)).json<{ jobs: JobOfMonitor[] }>().jobs;
const upload = ({ channelId }: WatchedByApp, count: number) =>
  system.simulator.upload({ to: channelId, count }).toReversed();
const byOwner = (customer: Customer, path: string) => postJson(system.gateway + path, {}, bearer(customer.key));

describe('an app that is disconnected', () => {
  it('has spent its cap and no more by its monitor, spends and hears nothing from then on, and its holder goes on without it', async () => {
    const watched = await watchedByApp(3);
    const { customer, app, own, monitorId, connectionId } = watched;
    const first = upload(watched, 5);
    await fifteenMinutesPass(system);
    await eventually(
      async () =>
        expect(await jobsOf(watched)).toMatchObject([
          { status: 'paused', pause_reason: 'daily_limit', credits: { charged: CAP } },
        ]),
      gently,
    );
    const heard = ['channel.new_videos', 'job.paused'];
    const types = () => heardAt(app).map(({ type }) => type);
    await eventually(() => expect(types().toSorted()).toEqual(heard));
    expect(changesAt(app)).toEqual(first);

    const headers = dashboard(customer);
    const ended = await call(`${system.gateway}/v1/connections/${connectionId}`, {
      method: 'DELETE',
      headers,
    });
    expect(ended.status).toBe(200);
    await eventually(async () => {
      expect(await monitorOf(watched)).toMatchObject({ status: 'paused', pause_reason: 'key_revoked' });
      expect(await jobsOf(watched)).toMatchObject([{ pause_reason: 'key_revoked' }]);
    }, gently);
    const late = upload(watched, 2);
    await fifteenMinutesPass(system);
    await eventually(async () => expect((await monitorOf(watched)).new_videos).toBe(7), gently);
    expect(await jobsOf(watched)).toMatchObject([{ credits: { charged: CAP } }]);

    // A free account has one active job.
    const [job] = await jobsOf(watched);
    expect((await byOwner(customer, `/v1/jobs/${job?.id}/retry`)).status).toBe(200);
    const completed = (charged: number) => ({ status: 'completed', credits: { charged } });
    await eventually(async () => expect(await jobsOf(watched)).toMatchObject([completed(5)]), gently);
    const resumed = await byOwner(customer, `/v1/monitors/${monitorId}/resume`);
    expect([resumed.status, resumed.json()]).toMatchObject([
      200,
      { monitor: { status: 'active', pause_reason: null, key_id: customer.keyId, webhook_url: null } },
    ]);
    await eventually(() => expect(changesAt(own)).toEqual(late));
    await eventually(
      async () => expect(await jobsOf(watched)).toMatchObject([completed(2), completed(5)]),
      gently,
    );
    // The job still names the address that the app gave.
    await eventually(async () => {
      const { deliveries } = (await customer.get(`/v1/webhooks/deliveries?job_id=${job?.id}`)).json<{
        deliveries: { event: string; status: string }[];
      }>();
      expect(deliveries[0]).toMatchObject({ event: 'job.completed', status: 'failed' });
    }, gently);
    expect(types().toSorted()).toEqual(heard);
  });

  it('spends and hears nothing either if the broker is killed with the event, and deliveries to its address waited', async () => {
    const watched = await watchedByApp(5);
    const { customer, app, connectionId, monitorId } = watched;
    system.receiver.script([500], app);
    upload(watched, 1);
    await fifteenMinutesPass(system);
    await eventually(
      async () => expect(await jobsOf(watched)).toMatchObject([{ status: 'completed' }]),
      gently,
    );
    // Both are to be sent again in a minute.
    await eventually(() => expect(heardAt(app).length).toBeGreaterThanOrEqual(2));
    const headers = dashboard(customer);
    const ended = await call(`${system.gateway}/v1/connections/${connectionId}`, {
      method: 'DELETE',
      headers,
    });
    const before = heardAt(app).length;
    await system.nats.kill();
    expect(ended.status).toBe(200);
    await system.nats.start();
    upload(watched, 2);
    await eventually(async () => {
      await fifteenMinutesPass(system);
      expect(await monitorOf(watched)).toMatchObject({ pause_reason: 'key_revoked', new_videos: 3 });
    }, gently);
    await eventually(async () => {
      const waiting = waitingRows(system, 'webhook-dispatcher');
      await waiting.makeDue('deliveries', { where: "state = 'waiting'" });
      for (const table of ['endpoints', 'queues'] as const) await waiting.makeDue(table);
      const { deliveries } = (await customer.get(`/v1/webhooks/deliveries?monitor_id=${monitorId}`)).json<{
        deliveries: { status: string }[];
      }>();
      expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['failed']));
    }, gently);
    expect(await jobsOf(watched)).toMatchObject([{ status: 'completed', credits: { charged: 1 } }]);
    expect(heardAt(app)).toHaveLength(before);
  });

  it('spends and hears nothing either if no service learns that it was disconnected', async () => {
    const watched = await watchedByApp(4);
    const { app, connectionId } = watched;
    await inDatabase(
      'identity',
      'UPDATE api_keys SET revoke_at = now(), changed_at = now(), ended_at_once = true, end_announced = true WHERE id = $1',
      [connectionId],
    );
    upload(watched, 2);
    await fifteenMinutesPass(system);
    await eventually(
      async () => expect(await monitorOf(watched)).toMatchObject({ pause_reason: 'key_revoked' }),
      gently,
    );
    expect(await jobsOf(watched)).toEqual([]);
    expect(heardAt(app)).toEqual([]);
  });
});
