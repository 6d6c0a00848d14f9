import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openEvidence } from '@tds/audit';
import { type Job, newId } from '@tds/contracts';
import { withClient } from '@tds/servers';
import { channelAt, playlistsOf } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import {
  bearer,
  booksAgree,
  type Customer,
  call,
  dashboard,
  fileVideo,
  operate,
  postJson,
  putJson,
  shareTestSystem,
  signUp,
  type TestSystem,
  waitingRows,
} from '#support/testing';

const SEED = 1;
const FREE_CREDITS = 100;
/** A block that is too small for the job, and one that covers the rest of it. */
const PART = 5;
const REST = 20;
/** In cents. */
const PRICE_OF_REST = 100;
/** Longer than a source may take to be listed while its job is created. */
const SLOW_MS = 2_500;
const WITHIN = { everyMs: 1_500 };

let system: TestSystem;
let customer: Customer;
beforeAll(async () => {
  system = await shareTestSystem();
  customer = await signUp(system);
  // New accounts have few cold fetches on a day.
  await query('identity', `UPDATE accounts SET created_at = now() - interval '30 days' WHERE id = $1`, [
    customer.accountId,
  ]);
  await operate(system, 'set-tier', customer.email, 'paid');
});
afterAll(() => system?.stop());

const addressOf = (service: string): string => String(system.databases[service]?.adminUrl);
const query = <Row>(service: string, sql: string, values: unknown[] = []): Promise<Row[]> =>
  withClient(addressOf(service), async (client) => (await client.query(sql, values)).rows as Row[]);

const begin = async (body: object): Promise<Job> => {
  const answer = await postJson(`${system.gateway}/v1/jobs`, body, bearer(customer.key));
  expect(answer.status).toBe(202);
  return answer.json<{ job: Job }>().job;
};
const reach = (id: string, status: Job['status']): Promise<Job> =>
  eventually(async () => {
    const { job } = (await customer.get(`/v1/jobs/${id}`)).json<{ job: Job }>();
    expect(job.status).toBe(status);
    return job;
  }, WITHIN);
const creditsOf = async () =>
  (await customer.get('/v1/account')).json<{ credits: { available: number; reserved: number } }>().credits;

const isListed = new Set<string>();
/** A job of a playlist that is listed after it was created, with at most so many videos, and more than the account can pay for. */
const beginUnpayable = async (most: number): Promise<Job> => {
  // No other test lists those of these channels.
  const playlists = [14, 15, 16].flatMap((at) => playlistsOf(channelAt(at, SEED)!, SEED));
  const playlist = playlists.find(
    ({ id, videoCount }) => !isListed.has(id) && videoCount > 2 * PART && videoCount <= most,
  );
  isListed.add(playlist!.id);
  system.simulator.setLatency(SLOW_MS);
  const job = await begin({ input: playlist!.id });
  expect(job.status).toBe('enumerating');
  system.simulator.setLatency(0);
  return job;
};

/** Opens the page of a block and pays there. */
const buy = async (block: number): Promise<void> => {
  const opened = await postJson(`${system.gateway}/v1/checkout`, { block }, bearer(customer.key));
  expect(opened.status).toBe(201);
  await call(opened.json<{ checkout_url: string }>().checkout_url, { method: 'POST' });
};
/** Nothing but an event about credits wakes it then. */
const letItSleep = (id: string) =>
  waitingRows(system, 'bulk-orchestrator').passTime('jobs', '-1 day', ['look_at', 'due_at'], {
    where: 'id = $1',
    values: [id],
  });

it('a job that a customer cannot pay for waits, and goes on by itself as far as purchases cover it', async () => {
  const all = Array.from({ length: FREE_CREDITS }, (_, index) => fileVideo(index));
  const first = await eventually(() => begin({ video_ids: all }), WITHIN);
  expect((await reach(first.id, 'completed')).credits.charged).toBe(FREE_CREDITS);
  expect(await creditsOf()).toMatchObject({ available: 0, reserved: 0 });

  const job = await beginUnpayable(PART + REST);
  const paused = await reach(job.id, 'paused');
  expect(paused).toMatchObject({
    pause_reason: 'insufficient_credits',
    credits: { reserved: 0, charged: 0 },
    counts: { fetched: 0, processing: 0 },
  });

  expect(paused.counts.pending).toBeGreaterThan(PART);
  await letItSleep(job.id);
  await buy(PART);
  await eventually(async () => {
    const found = await reach(job.id, 'paused');
    expect(found).toMatchObject({
      credits: { reserved: 0, charged: PART },
      pause_reason: 'insufficient_credits',
    });
  }, WITHIN);
  await letItSleep(job.id);
  await buy(REST);

  const { counts, credits } = await reach(job.id, 'completed');
  expect(credits).toEqual({ reserved: 0, charged: counts.fetched });
  expect([counts.fetched > 0, counts.fetched + counts.error + counts.cached]).toEqual([true, counts.total]);
  expect(await creditsOf()).toMatchObject({ available: PART + REST - counts.fetched, reserved: 0 });
  await booksAgree(openEvidence(addressOf, { atRest: true }));
});

it('a job that waits for credits goes on once its account refills itself, which charges the card once and is mailed', async () => {
  const spend = `SELECT outcome FROM charge_items(jsonb_build_object('account_id', $1::text, 'ref', $2::text, 'unit', $3::int, 'items', '{1}'))`;
  const { available } = await creditsOf();
  if (available > 0) await query('credits-ledger', spend, [customer.accountId, newId(), available]);
  const job = await beginUnpayable(REST);
  expect(await reach(job.id, 'paused')).toMatchObject({ pause_reason: 'insufficient_credits' });
  await letItSleep(job.id);
  const refill = { threshold: 5, block: REST, monthly_limit: PRICE_OF_REST };
  const headers = dashboard(customer);
  expect((await putJson(`${system.gateway}/v1/refill`, refill, headers)).status).toBe(200);
  const page = await postJson(`${system.gateway}/v1/refill/card`, {}, headers);
  expect(page.status).toBe(201);
  await call(page.json<{ url: string }>().url, { method: 'POST' });

  expect((await reach(job.id, 'completed')).credits.charged).toBeGreaterThan(0);
  const refilled = (await call(`${system.gateway}/v1/refill`, { headers })).json<{ refill: object }>();
  expect(refilled.refill).toMatchObject({ status: 'on', used_this_month: PRICE_OF_REST });
  const charged = system.payment.intents().filter(({ metadata, status }) => {
    const { account_id: accountId, refill: mark } = metadata as Record<string, string>;
    return accountId === customer.accountId && mark === 'true' && status === 'succeeded';
  });
  expect(charged).toHaveLength(1);
  await eventually(async () => {
    const mails = await call(`${system.mail.url}/messages?to=${encodeURIComponent(customer.email)}`);
    expect(mails.text).toContain(`${REST} credits were bought for $1.00`);
  }, WITHIN);
  await booksAgree(openEvidence(addressOf, { atRest: true }));
});
