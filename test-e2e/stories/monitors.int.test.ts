import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  bearer,
  type Customer,
  call,
  dashboard,
  postJson,
  signUp,
  startTestSystem,
  type TestSystem,
} from '@tds/e2e-support/testing';
import { channelAt } from '@tds/platform-simulator';

const CHANNEL_OF_TESTS = 3;
const SEED = 1;
const channel = channelAt(CHANNEL_OF_TESTS, SEED)!;

let system: TestSystem;
let customer: Customer;
beforeAll(async () => {
  system = await startTestSystem({ LOG_LEVEL: 'silent' });
  customer = await signUp(system);
});
afterAll(() => system?.stop());

type Made = { monitor: { id: string } };

describe('a customer who watches a channel', () => {
  it('has one monitor of it, whatever the same key asks for again, and stops it from the dashboard', async () => {
    const monitors = `${system.gateway}/v1/monitors`;
    const create = (body: object) =>
      postJson(monitors, body, { ...bearer(customer.key), 'idempotency-key': 'the monitor of the story' });
    const made = await create({ channel: channel.id });
    expect(made.status).toBe(201);
    const { id } = made.json<Made>().monitor;
    const again = await create({ playlist: 'PLsomethingElse00', auto_fetch: false });
    expect([again.status, again.json()]).toMatchObject([200, { idempotent: true, monitor: { id } }]);
    const stopped = await call(`${monitors}/${id}`, { method: 'DELETE', headers: dashboard(customer) });
    expect(stopped.json()).toMatchObject({ ok: true, monitor: { status: 'cancelled', new_videos: 0 } });
  });
});
