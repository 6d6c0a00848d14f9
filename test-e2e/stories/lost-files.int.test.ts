import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEvidence } from '@tds/audit';
import type { Job } from '@tds/contracts';
import { withClient } from '@tds/servers';
import { eventually } from '@tds/test-kit';
import {
  bearer,
  booksAgree,
  type Customer,
  fileVideo,
  postJson,
  shareTestSystem,
  signUp,
  type TestSystem,
  waitingRows,
} from '#support/testing';

/** Under the limit of requests per minute. */
const NOW_AND_THEN = { everyMs: 1_500 };
const videoIds = [51, 52, 53, 54].map((n) => fileVideo(n));

let system: TestSystem;
let customer: Customer;
let job: Job;
let before: Awaited<ReturnType<typeof everything>>;
beforeAll(async () => {
  system = await shareTestSystem();
  customer = await signUp(system);
  job = await finishJob(customer);
  expect(job.credits.charged).toBe(videoIds.length);
  before = await everything();
});
afterAll(() => system?.stop());

const addressOf = (service: string): string => String(system.databases[service]?.adminUrl);
const query = (service: string, text: string, values: unknown[] = []) =>
  withClient(addressOf(service), async (admin) => (await admin.query(text, values)).rowCount ?? 0);

type Kind = 'rendered' | 'cues';
/** What the store has of the videos of this file. */
const keysOf = async (kind: Kind): Promise<string[]> => {
  const transcripts = await withClient(addressOf('transcript-fetcher'), (admin) =>
    admin.query('SELECT id, object_key FROM transcripts WHERE video_id = ANY ($1)', [videoIds]),
  );
  const stored = await withClient(addressOf('objects'), (admin) =>
    admin.query('SELECT key FROM objects WHERE starts_with(key, $1)', [`${kind}/`]),
  );
  const own = transcripts.rows.map(({ id, object_key: cues }) => (kind === 'cues' ? cues : `rendered/${id}/`));
  return stored.rows.map(({ key }) => key).filter((key) => own.some((one) => key.startsWith(one)));
};
/** As an operator who has put back a copy that is older than these; and a minute has passed since the last loss. */
const lose = async (...kinds: Kind[]): Promise<void> => {
  for (const kind of kinds) {
    const keys = await keysOf(kind);
    expect(await query('objects', 'DELETE FROM objects WHERE key = ANY ($1)', [keys])).toBeGreaterThan(0);
  }
  await query('transcript-fetcher', 'UPDATE transcripts SET restore_failed_at = NULL');
};
const cuesStored = async () => (await keysOf('cues')).length;

const finishJob = async ({ get, key }: Customer): Promise<Job> => {
  const body = { video_ids: videoIds, format: 'md', language: 'en' };
  const begun = await postJson(`${system.gateway}/v1/jobs`, body, bearer(key));
  const { id } = begun.json<{ job: Job }>().job;
  return await eventually(async () => {
    const { job: current } = (await get(`/v1/jobs/${id}`)).json<{ job: Job }>();
    expect(current.status).toBe('completed');
    return current;
  }, NOW_AND_THEN);
};

const manifest = async () => (await customer.get(`/v1/jobs/${job.id}/manifest?format=csv`)).text;
/** Once all can be read. */
const files = () =>
  eventually(async () => {
    const answers = await Promise.all(videoIds.map((id) => customer.get(`/v1/jobs/${job.id}/files/${id}`)));
    expect(answers.map(({ status }) => status)).toEqual(videoIds.map(() => 200));
    return answers.map(({ text }) => text);
  }, NOW_AND_THEN);
const askForZip = (search: string) =>
  fetch(`${system.gateway}/v1/jobs/${job.id}/archive${search}`, { headers: bearer(customer.key) });
const zip = async (search = ''): Promise<string> => {
  const answer = await askForZip(search);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer()).toString('base64');
};
const everything = async () => ({ manifest: await manifest(), files: await files(), zip: await zip() });

/** The attempt of the build that waits for its time begins now. */
const hurryBuild = () =>
  eventually(async () => {
    const hurried = { where: "state = 'ready' AND due_at > now() AND attempts > 0" };
    expect(await waitingRows(system, 'archiver').makeDue('messaging.tasks', hurried)).toBe(1);
  });

const expectFreeJob = async (): Promise<void> => {
  const stranger = await signUp(system);
  const { id, counts, credits } = await finishJob(stranger);
  expect([counts.cached, credits.charged]).toEqual([videoIds.length, 0]);
  const read = videoIds.map((videoId) => stranger.get(`/v1/jobs/${id}/files/${videoId}`));
  expect((await Promise.all(read)).map(({ text }) => text)).toEqual(before.files);
};

describe('a customer of a job whose files our store has lost', () => {
  it('reads them, their manifest and their ZIP in the same bytes, and so does who asks for them anew', async () => {
    await lose('rendered');
    expect(await manifest()).toBe(before.manifest);
    await lose('rendered');
    expect(await files()).toEqual(before.files);
    await lose('rendered');
    expect(await zip('?rebuild=1')).toBe(before.zip);
    await lose('rendered');
    await expectFreeJob();
  });

  it('gets the ZIP in the same bytes at the next attempt if its source files are lost as well', async () => {
    await lose('rendered', 'cues');
    const asking = askForZip('?rebuild=1');
    await eventually(async () => expect(await cuesStored()).toBe(videoIds.length));
    await hurryBuild();
    await (await asking).arrayBuffer();
    expect(await zip()).toBe(before.zip);
  });

  it('reads the files and the manifest, too, as soon as they are back', async () => {
    await lose('rendered', 'cues');
    expect((await customer.get(`/v1/jobs/${job.id}/files/${videoIds[0]}`)).json()).toMatchObject({
      code: 'manifest_file_unavailable',
    });
    expect(await files()).toEqual(before.files);
    expect(await manifest()).toBe(before.manifest);
  });

  it('has paid once, others who want the same pay nothing, and the books agree', async () => {
    await lose('rendered', 'cues');
    await expectFreeJob();
    const account = (await customer.get('/v1/account')).json<{ credits: { available: number } }>();
    expect(account.credits.available).toBe(100 - videoIds.length);
    await booksAgree(openEvidence(addressOf, { atRest: true }));
  });
});
