import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import {
  bearer,
  type Customer,
  call,
  dashboard,
  fileVideo,
  postJson,
  putJson,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

let system: TestSystem;
let customer: Customer;
beforeAll(async () => {
  system = await shareTestSystem();
  customer = await signUp(system);
});
afterAll(() => system?.stop());

type Configured = { webhook: { url: string; enabled: boolean }; webhook_secret?: string };
type Listed = { deliveries: { id: string; event: string; status: string; job_id: string | null }[] };

const at = (path: string) => `${system.gateway}/v1/webhooks${path}`;
const put = async (body: object) =>
  (await putJson(at(''), { url: system.receiver.hookUrl, ...body }, bearer(customer.key))).json<Configured>();
const received = (count: number) =>
  eventually(() => {
    expect(system.receiver.received()).toHaveLength(count);
    return system.receiver.received();
  });
const runJob = async (...videoIds: string[]) => {
  const begun = await postJson(`${system.gateway}/v1/jobs`, { video_ids: videoIds }, bearer(customer.key));
  return begun.json<{ job: { id: string } }>().job.id;
};

describe('a customer whose door is called', () => {
  it('sets an address, verifies a test event, hears of a job once, rotates the secret, and looks at what was sent', async () => {
    const configured = await put({ low_balance_threshold: 10 });
    expect(configured.webhook).toMatchObject({ url: system.receiver.hookUrl, enabled: true });
    system.receiver.addSecret(String(configured.webhook_secret));
    expect((await customer.get('/v1/webhooks')).text).not.toContain(configured.webhook_secret);

    expect((await call(at('/test'), { method: 'POST', headers: bearer(customer.key) })).status).toBe(202);
    expect(await received(1)).toMatchObject([{ event: 'webhook.test', isVerified: true }]);

    const jobId = await runJob(fileVideo(911), fileVideo(912));
    const [, completed] = await received(2);
    expect(completed).toMatchObject({ event: 'job.completed', isVerified: true });
    expect(JSON.parse(completed?.body ?? '')).toMatchObject({
      type: 'job.completed',
      data: { job_id: jobId, status: 'completed', credits: { charged: 2 } },
    });

    const rotated = await put({ rotate_secret: true });
    expect(rotated.webhook_secret).not.toBe(configured.webhook_secret);
    system.receiver.addSecret(String(rotated.webhook_secret));
    await runJob(fileVideo(911));
    expect((await received(3))[2]).toMatchObject({ event: 'job.completed', isVerified: true });

    const { deliveries } = (await customer.get(`/v1/webhooks/deliveries?job_id=${jobId}`)).json<Listed>();
    expect(deliveries).toMatchObject([{ event: 'job.completed', status: 'delivered', job_id: jobId }]);
    const resent = await call(at(`/deliveries/${deliveries[0]?.id}/resend`), {
      method: 'POST',
      headers: bearer(customer.key),
    });
    expect(resent.status).toBe(202);
    const all = await received(4);
    expect(all[3]?.body).toBe(all[1]?.body);
    expect(all.every(({ isVerified }) => isVerified)).toBe(true);
  });

  it('receives that its credits run low: at once if there are fewer already, then once for each time', async () => {
    const balances = () =>
      system.receiver
        .received()
        .filter(({ event }) => event === 'credits.low')
        .map(({ body }) => JSON.parse(body).data);
    const read = async (video: number) =>
      expect((await customer.get(`/v1/transcript?video_id=${fileVideo(video)}`)).status).toBe(200);
    await put({ low_balance_threshold: 99 });
    await eventually(() => expect(balances()).toMatchObject([{ available: 98, threshold: 99 }]));
    await put({ low_balance_threshold: 98 });
    await read(913);
    await eventually(() => expect(balances().at(-1)).toMatchObject({ available: 97, threshold: 98 }));
    await read(914);
    const bought = await postJson(`${system.gateway}/v1/checkout`, { block: 5 }, bearer(customer.key));
    await postJson(bought.json<{ checkout_url: string }>().checkout_url, '');
    await eventually(async () => expect((await customer.get('/v1/account')).text).toContain('"purchased":5'));
    for (const video of [915, 916, 917, 918]) await read(video);
    await eventually(() => expect(balances().map(({ available }) => available)).toEqual([98, 97, 97]));
  });

  it('may do so in the dashboard, and hears nothing any more after it has removed the address there', async () => {
    const path = `${system.gateway}/v1/account?resource=webhook`;
    const body = { url: system.receiver.hookUrl };
    expect((await putJson(path, body, dashboard(customer))).json<Configured>().webhook.enabled).toBe(true);
    const removed = await call(path, { method: 'DELETE', headers: dashboard(customer) });
    expect(removed.json()).toMatchObject({ deleted: true });
    expect((await customer.get('/v1/webhooks')).json()).toMatchObject({ webhook: null });
    const test = await call(at('/test'), { method: 'POST', headers: bearer(customer.key) });
    expect(test.json()).toMatchObject({ code: 'webhook_not_configured' });
  });
});
