import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkRunningBooks } from '@tds/audit';
import {
  type Customer,
  creditsCharged,
  signUp,
  startTestSystem,
  type TestSystem,
} from '@tds/e2e-support/testing';
import { loadVideoId } from '@tds/platform-simulator';
import { withClient } from '@tds/servers';
import { eventually } from '@tds/test-kit';

let system: TestSystem;
let customer: Customer;
beforeAll(async () => {
  system = await startTestSystem();
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

describe('an answer of 5xx', () => {
  it('costs nothing, although its work goes on, is delivered and cached, when the broker dies on the way', async () => {
    const path = `/v1/transcript?video_id=${loadVideoId(8_001)}`;
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
    await eventually(
      async () => {
        const again = await customer.get(path);
        reported += creditsCharged(again);
        expect([again.status, again.headers.get('x-cache'), creditsCharged(again)]).toEqual([200, 'HIT', 0]);
      },
      { withinMs: 240_000, everyMs: 500 },
    );
    const settled = async () => {
      const operations = await ended();
      const open = operations.filter(({ state, isDue }) => isDue || !/delivered|failed/.test(state));
      return { open, charged: operations.reduce((sum, { charge }) => sum + charge, 0) };
    };
    const bound = { withinMs: 240_000, everyMs: 500 };
    await eventually(async () => expect(await settled()).toEqual({ open: [], charged: reported }), bound);
    await eventually(async () => expect(await owned()).toBe(100 - reported));
    expect(await checkRunningBooks((service) => String(system.databases[service]?.adminUrl))).toEqual([]);
  });
});
