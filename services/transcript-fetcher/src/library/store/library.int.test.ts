import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, openLibrary, type TestLibrary } from '../../test-support/library.ts';
import { newSteps, type Steps, toEnd, toOpenRequest, toRead, toRows } from '../../test-support/rows.ts';
import { moveCues } from '../../tracks/store/transcripts.ts';
import {
  isMissingEntries,
  listEntries,
  removeAccount,
  removeJob,
  saveReads,
  trimLibraries,
} from './library.ts';

let library: TestLibrary;
let steps: Steps;
beforeAll(async () => {
  library = await openLibrary();
  steps = newSteps(library);
});
afterAll(() => library?.stop());

const list = (accountId: string, given: object = {}, page = { limit: 50, offset: 0 }) =>
  listEntries(library.sql, { accountId, ...given, ...page });
const idsOf = async (accountId: string): Promise<string[]> =>
  (await library.entries(accountId)).map(({ transcript_id: id }) => id);
const jobOf = async (accountId: string, transcriptId: string): Promise<string> => {
  const jobId = randomUUID();
  await library.receive(accountId, transcriptId, jobId);
  return jobId;
};

describe('a library', () => {
  it('has what a read or a job delivers, from the statement that delivers it', async () => {
    const read = toRead();
    const { accountId } = read;
    await steps.end([toEnd(await steps.start(read))]);
    expect(await library.entries(accountId)).toMatchObject([{ is_read: true }]);
    const job = toOpenRequest({ accountId });
    await steps.open(job);
    await steps.hold(job);
    const fetches = await steps.begin(job.rows.map(({ id }) => id));
    await steps.end(fetches.map((each) => toEnd(each)));
    const { total } = await list(accountId, { jobId: job.batchId });
    expect(total).toBe(job.rows.length);
    expect(await library.entries(accountId)).toHaveLength(1 + job.rows.length);
  });

  it('has what a job finds in the cache, for the account of the job only', async () => {
    const read = toRead();
    await steps.end([toEnd(await steps.start(read))]);
    const [row] = read.rows;
    const job = toOpenRequest({ rows: toRows([String(row?.videoId)]) });
    await steps.open(job);
    await steps.open(job);
    expect(await library.entries(job.accountId)).toMatchObject([{ is_read: false }]);
    expect((await list(job.accountId)).transcripts).toMatchObject([{ video_id: row?.videoId }]);
  });

  it('has a cached read once, however often it is recorded, and none of an unknown transcript', async () => {
    const [accountId, { videoId }] = [newAccount(), await library.addTranscript(['Read.'])];
    const read = { accountId, videoId, language: 'en', kind: 'asr' as const, translated: false };
    await Promise.all([1, 2, 3].map(() => saveReads(library.sql, [read, read, { ...read, language: 'de' }])));
    const [first] = (await list(accountId)).transcripts;
    await saveReads(library.sql, [read]);
    expect(await list(accountId)).toMatchObject({ total: 1, transcripts: [first] });
  });

  it('is listed newest first, page by page', async () => {
    const account = newAccount();
    const ids: string[] = [];
    for (const age of [3, 1, 2]) {
      const { id, videoId } = await library.addTranscript([`Age ${age}.`]);
      await library.receive(account, id);
      await library.query(
        `UPDATE library_entries SET received_at = now() - $2 * interval '1 day' WHERE transcript_id = $1`,
        [id, age],
      );
      ids[age] = videoId;
    }
    const pages = [0, 1, 2, 3].map((offset) => list(account, {}, { limit: 1, offset }));
    const found = await Promise.all(pages);
    expect(found.map(({ total }) => total)).toEqual([3, 3, 3, 3]);
    expect(found.flatMap(({ transcripts }) => transcripts.map((each) => each.video_id))).toEqual(ids.slice(1));
  });

  it('loses with a job what came by it alone', async () => {
    const account = newAccount();
    const [alone, read, shared] = await Promise.all(
      ['A', 'B', 'C'].map((text) => library.addTranscript([text])),
    );
    if (!alone || !read || !shared) throw new Error('no transcripts');
    const jobId = await jobOf(account, alone.id);
    await library.receive(account, read.id, jobId);
    await library.receive(account, read.id);
    await library.receive(account, shared.id, jobId);
    const other = await jobOf(account, shared.id);
    await library.db.$transaction((tx) => removeJob(tx, jobId));
    expect((await idsOf(account)).toSorted()).toEqual([read.id, shared.id].toSorted());
    await library.db.$transaction((tx) => removeJob(tx, other));
    expect(await idsOf(account)).toEqual([read.id]);
  });

  it('keeps what another job delivers while one that had it is erased', async () => {
    const [account, { id }] = [newAccount(), await library.addTranscript(['Raced.'])];
    const erased = await jobOf(account, id);
    const client = await library.pool.connect();
    await client.query('BEGIN');
    const given = [{ account_id: account, transcript_id: id, job_id: randomUUID() }];
    await client.query('SELECT save_received($1)', [JSON.stringify(given)]);
    const removal = library.db.$transaction((tx) => removeJob(tx, erased));
    await client.query('COMMIT');
    client.release();
    await removal;
    expect(await idsOf(account)).toEqual([id]);
  });

  it('is gone with its account, and no index brings it back', async () => {
    const account = newAccount();
    const { id } = await library.addTranscript(['Closed.']);
    await jobOf(account, id);
    await library.db.$transaction((tx) => removeAccount(tx, account));
    await library.index();
    expect(await library.entries(account)).toEqual([]);
    expect(await library.query('SELECT FROM library_jobs WHERE account_id = $1', [account])).toEqual([]);
  });

  it('keeps its newest transcripts, and others keep theirs', async () => {
    const [account, other] = [newAccount(), newAccount()];
    for (const age of [1, 2, 3]) {
      const { id } = await library.addTranscript([`Kept ${age}.`]);
      await jobOf(account, id);
      await library.query(
        `UPDATE library_entries SET received_at = now() - $2 * interval '1 day' WHERE transcript_id = $1`,
        [id, age],
      );
    }
    const { id } = await library.addTranscript(['Of another.']);
    await library.receive(other, id);
    while ((await trimLibraries(library.db, 1, 2)) > 0);
    expect((await list(account)).transcripts).toHaveLength(2);
    expect(await library.query('SELECT FROM library_jobs WHERE account_id = $1', [account])).toHaveLength(2);
    expect(await idsOf(other)).toEqual([id]);
  });

  it('that is full has lost nothing, if it no longer keeps what a job has delivered', async () => {
    const accountId = newAccount();
    const { id } = await library.addTranscript(['Kept.']);
    const job = { jobId: await jobOf(accountId, id), accountId, delivered: 2 };
    expect(await isMissingEntries(library.sql, job, 2)).toBe(true);
    expect(await isMissingEntries(library.sql, job, 1)).toBe(false);
    expect(await isMissingEntries(library.sql, { ...job, delivered: 1 }, 2)).toBe(false);
  });
});

describe('the index of a library', () => {
  it('is made again if the captions of a transcript have changed', async () => {
    const account = newAccount();
    const { id } = await library.addIndexed(account, ['Before.']);
    const after = await library.addTranscript(['Afterwards.']);
    const [row] = await library.query<{ object_key: string }>(
      'SELECT object_key FROM transcripts WHERE id = $1',
      [after.id],
    );
    await moveCues(library.db, id, String(row?.object_key));
    await library.index();
    expect(await library.search(account, 'before')).toMatchObject({ total: 0 });
    expect(await library.search(account, 'afterwards')).toMatchObject({ total: 1 });
  });

  it('passes over a transcript whose cues are lost, and makes the others', async () => {
    const account = newAccount();
    const lost = await library.addTranscript(['Lost.']);
    library.cues.clear();
    await library.receive(account, lost.id);
    await library.addIndexed(account, ['Found.']);
    expect(await library.search(account, 'found')).toMatchObject({ total: 1 });
    const entries = await library.entries(account);
    expect(entries.find(({ transcript_id: id }) => id === lost.id)).toMatchObject({ is_indexed: false });
  });

  it('is made once by two instances at the same time', async () => {
    const account = newAccount();
    const said = await Promise.all(Array.from({ length: 8 }, (_, n) => library.addTranscript([`Twice ${n}.`])));
    for (const { id } of said) await library.receive(account, id);
    await Promise.all([library.index(), library.index()]);
    expect(await library.search(account, 'twice')).toMatchObject({ total: 8, is_complete: true });
  });
});
