import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withClient } from '@tds/servers';
import { eventually } from '@tds/test-kit';
import {
  type Answer,
  type Customer,
  creditsBalance,
  creditsCharged,
  fileVideo,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

const askLedger = (text: string, values: unknown[]): Promise<void> =>
  withClient(String(system.databases['credits-ledger']?.adminUrl), async (admin) => {
    await admin.query(text, values);
  });

/** Holds the free credits of an account down to `rest` at the ledger, until the test has ended. */
const leave = async (customer: Customer, rest: number): Promise<AsyncDisposable> => {
  const ref = `spent-elsewhere-${customer.accountId}`;
  const request = { account_id: customer.accountId, ref, unit: 100 - rest, items: [1], reason: 'test' };
  await askLedger('SELECT reserve_items($1::jsonb, NULL)', [JSON.stringify(request)]);
  const release = `SELECT resolve_items('release', $1, '{1}', 'test', NULL)`;
  return { [Symbol.asyncDispose]: () => askLedger(release, [ref]) };
};

const underWay = (videoId: string): Promise<number | null> =>
  withClient(String(system.databases['transcript-fetcher']?.adminUrl), async (admin) => {
    const sql = `SELECT FROM operations WHERE video_id = $1 AND state = 'fetching'`;
    return (await admin.query(sql, [videoId])).rowCount;
  });

const sum = (answers: readonly Answer[]): number =>
  answers.reduce((total, answer) => total + creditsCharged(answer), 0);

describe('nothing is ever charged twice', () => {
  it('parallel requests of one account for one video are one operation, one fetch and one credit', async () => {
    const customer = await signUp(system);
    system.simulator.resetRequests();
    const path = `/v1/transcript?video_id=${fileVideo(11)}`;
    const answers = await Promise.all([customer.get(path), customer.get(path)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(sum(answers)).toBe(1);
    expect(system.simulator.requests().byEndpoint.timedtext ?? 0).toBe(1);
    expect(creditsBalance(await customer.get(path))).toBe(99);
  });

  it('accounts that wait for the same video share one upstream fetch, and each pays once', async () => {
    const customers = await Promise.all(Array.from({ length: 5 }, () => signUp(system)));
    const videoId = fileVideo(12);
    system.simulator.resetRequests();
    const release = system.simulator.hold();
    const [answers] = await Promise.all([
      Promise.all(customers.map((customer) => customer.get(`/v1/transcript?video_id=${videoId}`))),
      eventually(async () => expect(await underWay(videoId)).toBe(customers.length)).finally(release),
    ]);
    expect(answers.map(creditsCharged)).toEqual([1, 1, 1, 1, 1]);
    expect(system.simulator.requests().byEndpoint.timedtext ?? 0).toBe(1);
  });

  it('a balance of 1 pays for exactly one of many parallel cold requests', async () => {
    const customer = await signUp(system);
    await using _held = await leave(customer, 1);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        customer.get(`/v1/transcript?video_id=${fileVideo(100 + index)}`),
      ),
    );
    expect(sum(answers)).toBe(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(creditsBalance(await customer.get('/v1/video?video_id=manualEn001'))).toBe(0);
    const refused = await customer.get(`/v1/transcript?video_id=${fileVideo(400)}`);
    expect(refused.status).toBe(402);
    expect(refused.json()).toMatchObject({
      errorClass: 'InsufficientCredits',
      required: 1,
      available: 0,
      shortfall: 1,
    });
  });
});
