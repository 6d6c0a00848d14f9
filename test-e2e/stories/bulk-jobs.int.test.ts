import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEvidence } from '@tds/audit';
import type { Job, JobRow } from '@tds/contracts';
import { withClient } from '@tds/servers';
import { channelAt, playlistsOf } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import {
  type Answer,
  bearer,
  booksAgree,
  type Customer,
  call,
  fileVideo,
  operate,
  postJson,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

const SEED = 1;
const CREDITS = 100;
/** Under the limit of requests per minute. */
const NOW_AND_THEN = { everyMs: 1_500 };

let system: TestSystem;
let videos = 0;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

type Dated = { readonly video_id: string; readonly published_at: string | null };
type Named = {
  readonly video_id: string;
  readonly published_date: string | null;
  readonly output_file: string | null;
};

const freshIds = (count: number): string[] => Array.from({ length: count }, () => fileVideo(++videos));
const begin = (customer: Customer, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  postJson(`${system.gateway}/v1/jobs`, body, { ...bearer(customer.key), ...headers });
const jobOf = (answer: Answer): Job => answer.json<{ job: Job }>().job;
const post = (customer: Customer, id: string, action: 'retry' | 'cancel'): Promise<Answer> =>
  call(`${system.gateway}/v1/jobs/${id}/${action}`, { method: 'POST', headers: bearer(customer.key) });
const reach = (customer: Customer, { id }: Pick<Job, 'id'>, status: Job['status']): Promise<Job> =>
  eventually(async () => {
    const job = jobOf(await customer.get(`/v1/jobs/${id}`));
    expect(job.status).toBe(status);
    return job;
  }, NOW_AND_THEN);
/** New accounts have few cold fetches on a day, and need no credits for more. */
const isOld = ({ accountId }: Customer) =>
  withClient(String(system.databases.identity?.adminUrl), (admin) =>
    admin.query(`UPDATE accounts SET created_at = now() - interval '30 days' WHERE id = $1`, [accountId]),
  );
const balanceOf = async (customer: Customer) =>
  (await customer.get('/v1/account')).json<{ credits: { available: number; reserved: number } }>().credits;

describe('a customer with many videos', () => {
  it('hands over a playlist, and gets files that are what the manifest says, for a credit each', async () => {
    const customer = await signUp(system);
    const playlist = [0, 1, 2, 3, 9, 10, 11, 12, 13, 14]
      .flatMap((at) => playlistsOf(channelAt(at, SEED)!, SEED))
      .find(({ videoCount }) => videoCount <= 25);
    const answer = await begin(customer, { input: playlist!.id, format: 'srt' });
    expect(answer.status).toBe(202);
    const job = await reach(customer, jobOf(answer), 'completed');
    const { total, fetched, cached, error } = job.counts;
    expect([total, fetched + cached + error]).toEqual([playlist!.videoCount, total]);
    expect(job.credits).toEqual({ reserved: 0, charged: fetched });
    expect(await balanceOf(customer)).toMatchObject({ available: CREDITS - fetched, reserved: 0 });
    const manifest = await customer.get(`/v1/jobs/${job.id}/manifest?format=json`);
    const rows = manifest.json<{ rows: { video_id: string; status: string; sha256: string | null }[] }>().rows;
    const [delivered] = rows.filter(({ status }) => status === 'fetched');
    const file = await customer.get(`/v1/jobs/${job.id}/files/${delivered!.video_id}`);
    expect(createHash('sha256').update(file.text).digest('hex')).toBe(delivered!.sha256);
  });

  it('finds the same date of a video in every answer and in the names of files, whatever way it came in', async () => {
    const customer = await signUp(system);
    await isOld(customer);
    const playlist = [4, 5, 6, 7, 8]
      .flatMap((at) => playlistsOf(channelAt(at, SEED)!, SEED))
      .find(({ videoCount }) => videoCount <= 40);
    const rowsOf = async (body: object): Promise<Named[]> => {
      const job = await reach(customer, jobOf(await begin(customer, body)), 'completed');
      return (await customer.get(`/v1/jobs/${job.id}/manifest?format=json`)).json<{ rows: Named[] }>().rows;
    };
    const listed = (await rowsOf({ input: playlist!.id })).filter(({ output_file: name }) => name !== null);
    // The platform may send a date too late for the first file of its video, which then stays without one.
    const dated = listed.filter(({ published_date: day }) => day !== null);
    const ids = dated.slice(0, 2).map(({ video_id: id }) => id);
    expect(ids).not.toEqual([]);
    const text = ids.join(' ');
    const { list, found } = await eventually(async () => {
      const resolved = await postJson(`${system.gateway}/v1/videos/resolve`, { text }, bearer(customer.key));
      const answer = resolved.json<{ list: string; found: Dated[] }>();
      // What the cache knows is left out of an answer that would have to wait for it.
      expect(answer.found).toEqual(ids.map((id) => expect.objectContaining({ video_id: id, cached: true })));
      return answer;
    }, NOW_AND_THEN);
    const again = [...(await rowsOf({ video_ids: ids })), ...(await rowsOf({ input: list }))];
    const [id = ''] = ids;
    const transcripts = ['en', 'fr'].map((language) => `/v1/transcript?video_id=${id}&language=${language}`);
    const answers = await Promise.all(
      [...transcripts, `/v1/video?video_id=${id}`].map((path) => customer.get(path)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const dates = [
      ...answers.map((answer) => answer.json<{ video: Dated }>().video.published_at),
      ...found.filter((video) => video.video_id === id).map((video) => video.published_at),
      ...[...listed, ...again].filter((row) => row.video_id === id).map((row) => row.published_date),
    ];
    expect(dates).toEqual(Array.from({ length: 7 }, () => dates[0]));
    for (const { output_file: name, published_date: day } of [...listed, ...again])
      expect(/\/(\d{4}-\d{2}-\d{2}) - /.exec(String(name))?.[1] ?? null).toBe(day);
  });

  it('pays for what was not cached, and for nothing that fails; each row says how it ended', async () => {
    const customer = await signUp(system);
    const [cold, cached] = freshIds(2) as [string, string];
    await customer.get(`/v1/transcript?video_id=${cached}`);
    const ids = [cold, cached, 'private_001', 'deleted_001'];
    const job = await reach(customer, jobOf(await begin(customer, { video_ids: ids })), 'completed');
    const seen = job.videos.map(({ status, error_class, credits_charged }: JobRow) => ({
      ...{ status, error_class, credits_charged },
    }));
    expect(seen).toEqual([
      { status: 'fetched', error_class: null, credits_charged: 1 },
      { status: 'cached', error_class: null, credits_charged: 0 },
      { status: 'error', error_class: 'Unavailable', credits_charged: 0 },
      { status: 'error', error_class: 'Unavailable', credits_charged: 0 },
    ]);
    const failed = await customer.get(`/v1/jobs/${job.id}/videos?status=error`);
    expect(failed.json<{ total: number }>().total).toBe(2);
    expect((await balanceOf(customer)).available).toBe(CREDITS - 2);
    expect((await post(customer, job.id, 'retry')).json()).toMatchObject({ requeued: 0 });
  });

  it('sends a request twice with one Idempotency-Key, and has one job', async () => {
    const customer = await signUp(system);
    const body = { video_ids: freshIds(3) };
    const headers = { 'idempotency-key': 'once' };
    const answers = await Promise.all([begin(customer, body, headers), begin(customer, body, headers)]);
    const other = await begin(customer, { video_ids: freshIds(1) }, headers);
    expect([other.status, other.json()]).toEqual([
      422,
      expect.objectContaining({ code: 'idempotency_key_reused' }),
    ]);
    const again = await begin(customer, body, headers);
    expect(new Set([...answers, again].map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await customer.get('/v1/jobs')).json<{ total: number }>().total).toBe(1);
    const job = await reach(customer, jobOf(again), 'completed');
    expect(job.credits.charged).toBe(3);
  });

  it('learns what is missing if the balance is short, and holds nothing', async () => {
    const customer = await signUp(system);
    await isOld(customer);
    await operate(system, 'set-tier', customer.email, 'paid');
    const answer = await eventually(async () => {
      const short = await begin(customer, { video_ids: freshIds(CREDITS + 20) });
      expect(short.status).toBe(402);
      return short;
    }, NOW_AND_THEN);
    expect(answer.json()).toMatchObject({ required: CREDITS + 20, available: CREDITS, shortfall: 20 });
    expect(await balanceOf(customer)).toEqual(expect.objectContaining({ available: CREDITS, reserved: 0 }));
  });

  it('whose cold fetches of the day end gets what they were enough for, and holds nothing for the rest', async () => {
    const customer = await signUp(system);
    const job = await reach(customer, jobOf(await begin(customer, { video_ids: freshIds(30) })), 'paused');
    expect(job).toMatchObject({ pause_reason: 'daily_limit', counts: { fetched: 25, pending: 5 } });
    expect(await balanceOf(customer)).toMatchObject({ available: CREDITS - 25, reserved: 0 });
    expect(jobOf(await post(customer, job.id, 'cancel')).status).toBe('cancelled');
    expect(await balanceOf(customer)).toMatchObject({ available: CREDITS - 25, reserved: 0 });
    expect((await post(customer, job.id, 'retry')).status).toBe(409);
  });

  it('leaves books in which every credit has its row', async () => {
    const addressOf = (service: string): string => String(system.databases[service]?.adminUrl);
    await booksAgree(openEvidence(addressOf, { atRest: true }));
  });
});
