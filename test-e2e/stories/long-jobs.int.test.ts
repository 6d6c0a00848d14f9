import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openEvidence } from '@tds/audit';
import type { Job } from '@tds/contracts';
import { withClient } from '@tds/servers';
import { eventually } from '@tds/test-kit';
import {
  type Answer,
  bearer,
  booksAgree,
  type Customer,
  call,
  creditsCharged,
  dashboard,
  fileVideo,
  operate,
  postJson,
  shareTestSystem,
  signUp,
  slowVideo,
  type TestSystem,
} from '#support/testing';

const CREDITS = 100;
const ROWS = 96;
const WITHIN = { everyMs: 700 };

let system: TestSystem;
let customer: Customer;
let videos = 0;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());
/** One for whom no limit of new or free accounts stands in the way. */
beforeEach(async () => {
  customer = await signUp(system);
  await withClient(String(system.databases.identity?.adminUrl), (admin) =>
    admin.query(`UPDATE accounts SET created_at = now() - interval '30 days' WHERE id = $1`, [
      customer.accountId,
    ]),
  );
  await operate(system, 'set-tier', customer.email, 'paid');
});

const fresh = (count: number): string[] => Array.from({ length: count }, () => fileVideo(++videos));
const jobIn = (answer: Answer): Job => answer.json<{ job: Job }>().job;
const begin = (video_ids: readonly string[], key = customer.key): Promise<Answer> =>
  postJson(`${system.gateway}/v1/jobs`, { video_ids }, bearer(key));
const cancel = ({ id }: Job): Promise<Answer> =>
  call(`${system.gateway}/v1/jobs/${id}/cancel`, { method: 'POST', headers: bearer(customer.key) });
const reach = (id: string, isThere: (job: Job) => boolean): Promise<Job> =>
  eventually(async () => {
    const job = jobIn(await customer.get(`/v1/jobs/${id}`));
    if (!isThere(job)) throw new Error(JSON.stringify(job).slice(0, 700));
    return job;
  }, WITHIN);
const isOver = ({ finished_at: finishedAt }: Job): boolean => finishedAt !== null;
const balance = async () =>
  (await customer.get('/v1/account')).json<{ credits: { available: number; reserved: number } }>().credits;
const booksAreRight = () =>
  booksAgree(openEvidence((service) => String(system.databases[service]?.adminUrl), { atRest: true }));

describe('a customer with long jobs', () => {
  it('and cancels one pays for all that was fetched, and for nothing else', async () => {
    const ids = fresh(ROWS);
    system.simulator.resetRequests();
    system.simulator.setLatency(1_500);
    const job = jobIn(await begin(ids));
    await reach(job.id, ({ counts }) => counts.processing > 0);
    expect((await cancel(job)).status).toBe(200);
    system.simulator.setLatency(0);
    const { counts, credits, status } = await reach(job.id, isOver);
    expect(counts.fetched).toBeLessThan(ROWS);
    expect([status, counts.fetched, counts.fetched + counts.cancelled]).toEqual([
      'cancelled',
      credits.charged,
      ROWS,
    ]);
    const fetchedUpstream = system.simulator.requests().byEndpoint.timedtext ?? 0;
    expect(fetchedUpstream).toBe(counts.fetched);
    expect(await balance()).toMatchObject({ available: CREDITS - counts.fetched, reserved: 0 });
    await booksAreRight();
    // What is cached by now is what was paid for: nothing was had for nothing.
    const { rows } = await withClient(String(system.databases['transcript-fetcher']?.adminUrl), (admin) =>
      admin.query('SELECT FROM transcripts WHERE video_id = ANY ($1)', [ids]),
    );
    expect(rows).toHaveLength(counts.fetched);
  });

  it('and revokes its key spends nothing more', async () => {
    system.simulator.setLatency(1_500);
    const job = jobIn(await begin(fresh(ROWS)));
    await reach(job.id, ({ counts }) => counts.processing > 0);
    const url = `${system.gateway}/v1/keys/${customer.keyId}`;
    expect((await call(url, { method: 'DELETE', headers: dashboard(customer) })).status).toBeLessThan(300);
    const made = await postJson(`${system.gateway}/v1/keys`, { name: 'next' }, dashboard(customer));
    const key = made.json<{ key: { secret: string } }>().key.secret;
    const jobNow = async () =>
      jobIn(await call(`${system.gateway}/v1/jobs/${job.id}`, { headers: bearer(key) }));
    const paused = await eventually(async () => {
      const found = await jobNow();
      expect(found).toMatchObject({
        status: 'paused',
        pause_reason: 'key_revoked',
        credits: { reserved: 0 },
      });
      return found;
    }, WITHIN);
    system.simulator.setLatency(0);
    expect(paused.counts.fetched).toBeLessThan(ROWS);
    expect(paused.credits.charged).toBe(paused.counts.fetched);
    const retried = await call(`${system.gateway}/v1/jobs/${job.id}/retry`, {
      method: 'POST',
      headers: bearer(key),
    });
    expect(retried.status).toBe(200);
    await eventually(
      async () => expect((await jobNow()).credits).toEqual({ reserved: 0, charged: ROWS }),
      WITHIN,
    );
    await booksAreRight();
  });

  it('cannot create a job of more rows than a job may have, and learns the limit', async () => {
    const answer = await begin(fresh(501));
    expect([answer.status, answer.json().ok]).toEqual([400, false]);
    // Twenty thousand videos: as large as the listing says, not as its first page. While it is made the job would wait for it.
    const listed = () => customer.get('/v1/videos?url=@simulated-giant');
    await eventually(async () => expect((await listed()).status).toBe(200), WITHIN);
    const giant = await postJson(
      `${system.gateway}/v1/jobs`,
      { input: '@simulated-giant' },
      bearer(customer.key),
    );
    expect(giant.json()).toMatchObject({ ok: false, code: 'job_size_cap' });
    expect((await customer.get('/v1/jobs')).json<{ total: number }>().total).toBe(0);
    expect(await balance()).toMatchObject({ available: CREDITS, reserved: 0 });
  });

  it('has reads answered and other rows fetched while one row takes its time', async () => {
    const job = jobIn(await begin([slowVideo(system, ++videos), ...fresh(5)]));
    await reach(job.id, ({ counts }) => counts.fetched >= 5 && counts.processing === 1);
    const read = await customer.get(`/v1/transcript?video_id=${fresh(1)[0]}`);
    expect([read.status, creditsCharged(read)]).toEqual([200, 1]);
    const { counts } = await reach(job.id, isOver);
    expect([counts.total, counts.processing, counts.pending]).toEqual([6, 0, 0]);
    await booksAreRight();
  });
});
