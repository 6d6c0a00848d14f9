import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withClient } from '@tds/servers';
import { channelAt } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import {
  type Answer,
  bearer,
  type Customer,
  creditsBalance,
  creditsCharged,
  fifteenMinutesPass,
  postJson,
  shareTestSystem,
  signUp,
  type TestSystem,
  waitingRows,
} from '#support/testing';

const SEED = 1;
const channel = channelAt(21, SEED)!;
const HOUR_SECONDS = 3_600;
/** What the simulator says in every video. */
const SAID = 'the';
/** As often as a free account may ask. */
const gently = { everyMs: 1_500 };

let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

const query = (service: string, text: string, values: readonly unknown[] = []) =>
  withClient(
    String(system.databases[service]?.adminUrl),
    async (admin) => (await admin.query(text, [...values])).rowCount,
  );

/** Moves by an hour what is known of the video, and what waits for it. */
const anHourPasses = async (videoId: string): Promise<void> => {
  await query(
    'transcript-fetcher',
    `UPDATE videos SET fact_expires_at = fact_expires_at - interval '1 hour',
       fact_retry_at = fact_retry_at - interval '1 hour' WHERE id = $1`,
    [videoId],
  );
  const jobs = waitingRows(system, 'bulk-orchestrator');
  const values = [videoId];
  await jobs.passTime('job_rows', '1 hour', ['next_attempt_at'], { where: 'video_id = $1', values });
  await jobs.makeDue('jobs', { where: 'id IN (SELECT job_id FROM job_rows WHERE video_id = $1)', values });
};

const underWay = (videoId: string) =>
  query('transcript-fetcher', `SELECT FROM operations WHERE video_id = $1 AND state = 'fetching'`, [videoId]);

type Job = { status: string; pause_reason: string | null; credits: object; counts: object };
const jobsOf = async (customer: Customer): Promise<Job[]> =>
  (await customer.get('/v1/jobs')).json<{ jobs: Job[] }>().jobs;
const jobsAre = async (customers: readonly Customer[], expected: object): Promise<void> => {
  for (const customer of customers)
    await eventually(async () => expect(await jobsOf(customer)).toMatchObject([expected]), gently);
};
const post = async (customer: Customer, path: string, body: object): Promise<Answer> => {
  const answer = await postJson(`${system.gateway}${path}`, body, bearer(customer.key));
  expect(answer.status).toBeLessThan(300);
  return answer;
};

const watch = async (customer: Customer) => {
  const made = await post(customer, '/v1/monitors', { channel: channel.id, auto_fetch: true, words: [SAID] });
  return `/v1/monitors/${made.json<{ monitor: { id: string } }>().monitor.id}`;
};

describe('a video that gets its captions an hour after its upload', () => {
  it('is delivered by a monitor with its words, by a job and by a read, for one credit of each account', async () => {
    const [watcher, collector, reader] = [await signUp(system), await signUp(system), await signUp(system)];
    const monitor = await watch(watcher);
    const [videoId = ''] = system.simulator.upload({ to: channel.id, captionsInSeconds: HOUR_SECONDS });
    await fifteenMinutesPass(system);
    await post(collector, '/v1/jobs', { video_ids: [videoId] });
    const read = () => reader.get(`/v1/transcript?video_id=${videoId}`);
    const early = await read();
    expect(early.json()).toMatchObject({ code: 'transcript_not_ready', retryable: true });
    expect([early.status, creditsCharged(early)]).toEqual([404, 0]);
    expect(Number(early.headers.get('retry-after'))).toBeLessThan(HOUR_SECONDS);
    const waiting = { status: 'paused', pause_reason: 'waiting_for_broadcast', credits: { charged: 0 } };
    await jobsAre([watcher, collector], waiting);

    system.simulator.release(videoId);
    // All three wait for it at the same time: a cached transcript would be free.
    const release = system.simulator.hold();
    await anHourPasses(videoId);
    const [late] = await Promise.all([
      read(),
      eventually(async () => expect(await underWay(videoId)).toBe(3)).finally(release),
    ]);
    expect([late.status, creditsCharged(late)]).toEqual([200, 1]);
    const delivered = { status: 'completed', credits: { charged: 1 }, counts: { fetched: 1, error: 0 } };
    await jobsAre([watcher, collector], delivered);
    const found = { total: 1, matches: [{ query: SAID, video: { video_id: videoId } }] };
    await eventually(
      async () => expect((await watcher.get(`${monitor}/matches`)).json()).toMatchObject(found),
      gently,
    );
    for (const customer of [watcher, collector, reader]) {
      const again = await customer.get(`/v1/transcript?video_id=${videoId}`);
      expect([again.status, creditsCharged(again), creditsBalance(again)]).toEqual([200, 0, 99]);
    }
  });
});
