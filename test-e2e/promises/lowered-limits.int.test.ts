import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { type TierLimits, tierLimits } from '@tds/contracts';
import { errorEnvelope } from '@tds/http-api';
import { eventually } from '@tds/test-kit';
import { coldLimits } from '@tds/transcript-fetcher';
import {
  type Answer,
  bearer,
  type Customer,
  creditsCharged,
  dashboard,
  fileVideo,
  postJson,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

const before = { free: { ...tierLimits.free }, cold: structuredClone(coldLimits) };
/** All services run in this process, and ask for these limits each time; those of rates and cached reads go to Redis at the start. */
const allow = (limits: Partial<TierLimits>) => Object.assign(tierLimits.free, limits);
const allowCold = (limits: Partial<typeof coldLimits>) => Object.assign(coldLimits, limits);
afterEach(() => {
  allow(before.free);
  allowCold(before.cold);
});

type Ask = (customer: Customer) => Promise<Answer>;
let fresh = 30_000;
const newVideo = () => fileVideo(++fresh);
/** One of the last channels, which no other test lists. */
const nextChannel = () => `@simulated-${40 + (++fresh % 20)}`;
const post =
  (path: string, body: () => unknown): Ask =>
  ({ key }) =>
    postJson(system.gateway + path, body(), bearer(key));
const cold: Ask = (customer) => customer.get(`/v1/transcript?video_id=${newVideo()}`);
const search: Ask = (customer) => customer.get(`/v1/search?q=${++fresh}`);
const listing: Ask = (customer) => customer.get(`/v1/videos?url=${nextChannel()}`);
const resolve = post('/v1/videos/resolve', () => ({ text: newVideo() }));
const newJob = post('/v1/jobs', () => ({ video_ids: [newVideo(), newVideo()] }));
const newMonitor = post('/v1/monitors', () => ({ channel: nextChannel() }));
const newKey: Ask = (customer) =>
  postJson(`${system.gateway}/v1/keys`, { name: `key ${++fresh}` }, dashboard(customer));
const lowerOwnCap: Ask = (customer) =>
  postJson(`${system.gateway}/v1/keys/${customer.keyId}`, { daily_credit_cap: 1 }, dashboard(customer));

/** What a customer uses three times, what falls below that, and how the fourth time is refused. */
type Lowered = {
  readonly title: string;
  readonly use: Ask;
  readonly lower: (customer: Customer) => unknown;
  readonly ask?: Ask;
  readonly code: string;
  readonly says?: RegExp;
};
/** Three, and what was delivered until the lowered cap was known everywhere. */
const ownCap = /1 credit a day and has used [3-9] of them; this needs 1\. More at 00:00 UTC/;
const lowered: readonly Lowered[] = [
  {
    title: 'a key`s own cap, asked for a transcript',
    use: cold,
    lower: lowerOwnCap,
    code: 'daily_credit_cap',
    says: ownCap,
  },
  {
    title: 'a key`s own cap, asked for a search',
    use: cold,
    lower: lowerOwnCap,
    ask: search,
    code: 'daily_credit_cap',
    says: ownCap,
  },
  {
    title: 'cold fetches of a key',
    use: cold,
    lower: () => allowCold({ perKey: { free: 1, paid: 1 } }),
    code: 'cold_fetch_cap',
    says: /1 new transcript of today/,
  },
  {
    title: 'cold fetches of a new account',
    use: cold,
    lower: () => allowCold({ perNewAccount: 1 }),
    code: 'account_age_ramp',
    says: /1 new transcript of today/,
  },
  {
    title: 'cold fetches of all free accounts',
    use: cold,
    lower: () => allowCold({ freePool: 1 }),
    code: 'free_pool_cap',
  },
  {
    title: 'cold fetches of everybody',
    use: cold,
    lower: () => allowCold({ global: 1 }),
    code: 'global_cold_cap',
  },
  {
    title: 'searches',
    use: search,
    lower: () => allow({ searchAttemptsPerDay: 1 }),
    code: 'search_attempt_cap',
  },
  {
    title: 'pages of searches',
    use: search,
    lower: () => allow({ searchPagesPerDay: 1 }),
    code: 'search_attempt_cap',
  },
  {
    title: 'listings',
    use: listing,
    lower: () => allow({ coldEnumerationsPerDay: 1 }),
    code: 'enumeration_cap',
  },
  { title: 'look-ups', use: resolve, lower: () => allow({ lookUpsPerDay: 1 }), code: 'look_up_cap' },
  { title: 'live keys', use: newKey, lower: () => allow({ liveKeys: 1 }), code: 'key_limit' },
  { title: 'monitors', use: newMonitor, lower: () => allow({ monitors: 1 }), code: 'monitor_limit' },
  { title: 'active jobs', use: newJob, lower: () => allow({ activeJobs: 1 }), code: 'active_job_cap' },
  {
    title: 'new jobs of a day',
    use: newJob,
    lower: () => allow({ newJobsPerDay: 1 }),
    code: 'job_creation_cap',
  },
];

it.each(lowered)('$title: below what is used it is refused with a whole 429, for nothing', async (row) => {
  const { use, lower, ask = use, code, says = /./ } = row;
  const customer = await signUp(system);
  allow({ liveKeys: 5, monitors: 5, activeJobs: 5 });
  // Jobs stay active.
  const release = code === 'active_job_cap' ? system.simulator.hold() : () => {};
  try {
    for (let n = 0; n < 3; n += 1) expect((await use(customer)).status).toBeLessThan(300);
    await lower(customer);
    // What processes know of a key reaches them all within seconds.
    await eventually(async () => expect((await ask(customer)).json().code).toBe(code));
    const refused = await ask(customer);
    const body = errorEnvelope.parse(refused.json());
    expect([body.code, body.retry_after]).toEqual([code, Number(refused.headers.get('retry-after'))]);
    expect(body.message).toMatch(says);
    expect(creditsCharged(refused)).toBe(0);
  } finally {
    release();
  }
});

it('a key`s own cap below what is used: a job is accepted and waits for the next day, or is refused, and never is a 500', async () => {
  const customer = await signUp(system);
  for (let n = 0; n < 3; n += 1) expect((await cold(customer)).status).toBe(200);
  expect((await lowerOwnCap(customer)).status).toBe(200);
  const made = await newJob(customer);
  expect(made.status).toBe(202);
  const { job } = made.json<{ job: { id: string } }>();
  await eventually(async () => {
    const seen = (await customer.get(`/v1/jobs/${job.id}`)).json<{ job: { pause_reason: string | null } }>();
    expect(seen.job.pause_reason).toBe('daily_limit');
  });
});
