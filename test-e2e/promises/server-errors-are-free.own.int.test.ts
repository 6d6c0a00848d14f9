import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkRunningBooks } from '@tds/audit';
import { withClient } from '@tds/servers';
import { eventually } from '@tds/test-kit';
import {
  type Customer,
  creditsCharged,
  fileVideo,
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

const owned = async (): Promise<number> => {
  const { free, purchased, reserved } = (await customer.get('/v1/account')).json<{
    credits: Record<'free' | 'purchased' | 'reserved', number>;
  }>().credits;
  return free + purchased + reserved;
};

/** What became of the operations of this account. */
const ended = (): Promise<{ state: string; charge: number; isDue: boolean }[]> =>
  withClient(String(system.databases['transcript-fetcher']?.adminUrl), async (admin) => {
    const { rows } = await admin.query(
      `SELECT state, charge, EXISTS (SELECT FROM settlements) AS "isDue" FROM operations WHERE account_id = $1`,
      [customer.accountId],
    );
    return rows;
  });

const countDelivered = async () => (await ended()).filter(({ state }) => state === 'delivered').length;

const bound = { everyMs: 500 };
/** The account has paid what its answers reported, and nothing is under way. */
const untilCharged = async (reported: number) => {
  await eventually(async () => {
    const operations = await ended();
    const open = operations.filter(({ state, isDue }) => isDue || !/delivered|failed/.test(state));
    const charged = operations.reduce((sum, { charge }) => sum + charge, 0);
    expect({ open, charged }).toEqual({ open: [], charged: reported });
  }, bound);
  await eventually(async () => expect(await owned()).toBe(100 - reported), bound);
  expect(await checkRunningBooks((service) => String(system.databases[service]?.adminUrl))).toEqual([]);
};
/** Until the fetcher waits with a poll; if it has not come by then, the test shows less. */
const POLL_ARRIVES_MS = 2_000;

describe('an answer of 5xx', () => {
  it('costs nothing, although its work goes on, is delivered and cached, when the broker dies on the way', async () => {
    const path = `/v1/transcript?video_id=${fileVideo(8_001)}`;
    const release = system.simulator.hold();
    const answering = customer.get(path);
    await eventually(() => expect(system.simulator.requests().total).toBeGreaterThan(0));
    await system.nats.kill();
    const failed = await answering;
    expect([failed.status, creditsCharged(failed)]).toEqual([503, 0]);
    release();
    await system.nats.start();
    // Those who ask while the broker comes back may begin operations of their own, which one of their answers may charge.
    let reported = 0;
    await eventually(async () => {
      const again = await customer.get(path);
      reported += creditsCharged(again);
      expect([again.status, again.headers.get('x-cache'), creditsCharged(again)]).toEqual([200, 'HIT', 0]);
    }, bound);
    await untilCharged(reported);
  });

  it('costs nothing to poll, although the poll got the delivery and its charge, when the broker dies on the way', async () => {
    const [paid, delivered] = [100 - (await owned()), await countDelivered()];
    const release = system.simulator.hold();
    // On a busy machine a wait may end in a 503, which is free.
    let video = 8_001;
    const path = await eventually(async () => {
      const accepted = await customer.get(`/v1/transcript?video_id=${fileVideo(++video)}`);
      expect(accepted.status).toBe(202);
      return accepted.json<{ poll_url: string }>().poll_url;
    }, bound);
    const polling = customer.get(path);
    await delay(POLL_ARRIVES_MS);
    await system.nats.kill();
    release();
    const failed = await polling;
    expect([failed.status, creditsCharged(failed)]).toEqual([503, 0]);
    await eventually(async () => expect(await countDelivered()).toBeGreaterThan(delivered));
    await system.nats.start();
    let reported = 0;
    await eventually(async () => {
      const again = await customer.get(path);
      reported += creditsCharged(again);
      expect(again.status).toBe(200);
    }, bound);
    await untilCharged(paid + reported);
  });
});
