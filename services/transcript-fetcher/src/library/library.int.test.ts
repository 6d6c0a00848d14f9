import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bulkOrchestrator, identity, type PayloadOf } from '@tds/contracts';
import { createFake, testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { toRows } from '../test-support/batches.ts';
import { startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

let fetcher: TestFetcher;
/** Only its events. */
const jobs = createFake(bulkOrchestrator);
/** Another fake answers its commands. */
const accounts = createFake(identity);
beforeAll(async () => {
  fetcher = await startFetcher({}, {}, ['bulk-orchestrator', 'identity']);
  await Promise.all([jobs, accounts].map(({ service }) => fetcher.startFake(service)));
});
afterAll(() => fetcher?.stop());

const VIDEO = 'manualEn001';
/** Words of its captions. */
const firstWords = async (): Promise<string> => {
  const [row] = await fetcher.query<{ text: string }>(
    'SELECT p.text FROM passages AS p JOIN transcripts AS t ON t.id = p.transcript_id WHERE t.video_id = $1 ORDER BY p.position LIMIT 1',
    [VIDEO],
  );
  return String(row?.text)
    .replaceAll(/[^\p{L} ]/gu, ' ')
    .trim()
    .split(/\s+/)
    .slice(0, 3)
    .join(' ');
};
const read = async (accountId: string) => {
  await fetcher.get({ videoId: VIDEO, accountId });
  await fetcher.library.record([
    { accountId, videoId: VIDEO, language: 'en', kind: 'manual', translated: false },
  ]);
};
const untilFound = (accountId: string, given: object = {}) =>
  eventually(async () => {
    const found = await fetcher.library.search(accountId, await firstWords(), given);
    expect(found.total).toBeGreaterThan(0);
    return found;
  });

/** The database as a copy has it that is older than all that is known of the video. */
const putBack = async (videoId: string) => {
  const ofVideo = 'transcript_id IN (SELECT id FROM transcripts WHERE video_id = $1)';
  for (const table of ['library_jobs', 'library_entries'])
    await fetcher.query(`DELETE FROM ${table} WHERE ${ofVideo}`, [videoId]);
  for (const table of ['operations', 'selections'])
    await fetcher.query(`DELETE FROM ${table} WHERE video_id = $1`, [videoId]);
  for (const table of ['rendered_files', 'passages'])
    await fetcher.query(`DELETE FROM ${table} WHERE ${ofVideo}`, [videoId]);
  await fetcher.query('DELETE FROM transcripts WHERE video_id = $1', [videoId]);
};

/** The last event of a job. */
const endedJob = (
  jobId: string,
  accountId: string,
  fetched: number,
): PayloadOf<typeof bulkOrchestrator.jobCompleted> => ({
  jobId,
  accountId,
  monitorId: null,
  status: 'completed',
  pauseReason: null,
  resumesAt: null,
  name: null,
  metadata: {},
  counts: { total: fetched, pending: 0, processing: 0, cached: 0, fetched, error: 0, cancelled: 0 },
  credits: { reserved: 0, charged: fetched },
  webhookUrl: null,
  webhookKeyId: null,
  notifyEmail: false,
  version: 9,
});

describe('what an account has received', () => {
  it('can be searched a moment later, with the link to the second', async () => {
    const account = randomUUID();
    await read(account);
    const { results } = await untilFound(account);
    expect(results[0]).toMatchObject({ video_id: VIDEO, language: 'en', kind: 'manual', translated: false });
    expect(results[0]?.url).toBe(
      `https://www.youtube.com/watch?v=${VIDEO}&t=${Math.floor(results[0]?.start ?? 0)}s`,
    );
    expect(await fetcher.library.list(account)).toMatchObject({
      total: 1,
      transcripts: [{ video_id: VIDEO }],
    });
    expect(await fetcher.library.search(randomUUID(), await firstWords())).toMatchObject({ total: 0 });
  });

  it('refuses a query without a word to find', async () => {
    await expect(fetcher.library.search(randomUUID(), '-"" | & -crane')).rejects.toMatchObject({
      code: 'invalid_library_query',
    });
  });

  it('comes from jobs, and goes with the last of them', async () => {
    const [account, batchId] = [randomUUID(), randomUUID()];
    const rows = toRows([VIDEO]);
    await fetcher.batches.submitBatch({ batchId, accountId: account, rows });
    await fetcher.batches.waitForEnds(batchId, rows);
    await untilFound(account, { jobId: batchId });
    await jobs.emit(bulkOrchestrator.jobErased, { jobId: batchId, accountId: account });
    await eventually(async () => expect(await fetcher.library.list(account)).toMatchObject({ total: 0 }));
    expect(await fetcher.library.search(account, await firstWords())).toMatchObject({ total: 0 });
  });

  it('is gone when the account is closed, also what ends after that', async () => {
    const account = randomUUID();
    await read(account);
    await untilFound(account);
    const closed = { accountId: account, status: 'closed' as const, version: 1 };
    await accounts.emit(identity.accountStatusChanged, closed);
    await eventually(async () => expect(await fetcher.library.list(account)).toMatchObject({ total: 0 }));
    await read(account);
    await fetcher.rows.makeDue('messaging.schedules', { where: "name = 'purge-libraries'" });
    await eventually(async () => expect(await fetcher.library.list(account)).toMatchObject({ total: 0 }));
  });

  it('is indexed again, if a restored database lacks the index', async () => {
    const account = randomUUID();
    await read(account);
    await untilFound(account);
    await fetcher.query('DELETE FROM passages');
    await fetcher.query('UPDATE library_entries SET words = NULL');
    await fetcher.query('INSERT INTO unindexed_transcripts SELECT DISTINCT transcript_id FROM library_entries');
    await eventually(async () => expect(await fetcher.query('SELECT FROM passages')).not.toEqual([]));
    await untilFound(account);
  });

  it('is indexed again by itself after an upgrade that reads words by other rules, and at once if it is searched', async () => {
    const [account, other] = [randomUUID(), randomUUID()];
    for (const each of [account, other]) {
      await read(each);
      await untilFound(each);
    }
    await fetcher.query(`UPDATE passages SET words = ''`);
    await fetcher.query('UPDATE library_entries SET index_rules = 0');
    const found = await fetcher.library.search(account, await firstWords());
    expect(found.is_complete).toBe(true);
    expect(found.total).toBeGreaterThan(0);
    await fetcher.rows.makeDue('messaging.schedules', { where: "name = 'reindex-libraries'" });
    // Entries come one after the other.
    await eventually(async () =>
      expect(await fetcher.query('SELECT FROM library_entries WHERE index_rules = 0')).toEqual([]),
    );
    await untilFound(other);
  });

  it('comes back for nothing when a gateway serves it again, after this database alone was put back', async () => {
    const account = randomUUID();
    const videoId = 'load0054321';
    const cached = {
      accountId: account,
      videoId,
      language: 'en',
      kind: 'manual',
      translated: false,
    } as const;
    await fetcher.get({ videoId, accountId: account });
    await putBack(videoId);
    const charged = fetcher.ledger.size();
    await fetcher.library.record([cached, cached]);
    await eventually(async () => {
      const { transcripts } = await fetcher.library.list(account);
      expect(transcripts).toMatchObject([{ video_id: videoId, language: 'en', kind: 'manual' }]);
    });
    expect(fetcher.ledger.size()).toBe(charged);
  });

  it('comes back for nothing from jobs that ended after the copy, which are found by their last events', async () => {
    const [account, batchId] = [randomUUID(), randomUUID()];
    const rows = toRows(['load0054322', 'load0054323']);
    await fetcher.batches.submitBatch({ batchId, accountId: account, rows });
    await fetcher.batches.waitForEnds(batchId, rows);
    const { jobCompleted } = fetcher.handlers().subscriptions;
    await jobCompleted(endedJob(batchId, account, 2), testContext() as never);
    await putBack('load0054322');
    await jobs.emit(bulkOrchestrator.jobCancelled, endedJob(batchId, account, 2));
    const lost = `SELECT payload FROM messaging.outbox WHERE subject LIKE '%deliveries%ost%'`;
    await eventually(async () => expect(await fetcher.query(lost)).toEqual([{ payload: { batchId } }]));

    const charged = fetcher.ledger.size();
    const again = toRows(['load0054322', 'load0054323']);
    await fetcher.batches.submitBatch({ batchId, accountId: account, rows: again, isDelivered: true });
    expect(await fetcher.batches.waitForEnds(batchId, again)).toMatchObject([{ charge: 0 }, { charge: 0 }]);
    expect(await fetcher.library.list(account, { jobId: batchId })).toMatchObject({ total: 2 });
    expect(fetcher.ledger.size()).toBe(charged);
  });

  it('is not looked for in erased jobs and closed accounts', async () => {
    const [account, closed, erased] = [randomUUID(), randomUUID(), randomUUID()];
    await accounts.emit(identity.accountStatusChanged, { accountId: closed, status: 'closed', version: 1 });
    await jobs.emit(bulkOrchestrator.jobErased, { jobId: erased, accountId: account });
    const removed = 'SELECT FROM library_removals WHERE id = ANY ($1::uuid[])';
    await eventually(async () => expect(await fetcher.query(removed, [[closed, erased]])).toHaveLength(2));
    const last = randomUUID();
    for (const [jobId, owner] of [
      [erased, account],
      [randomUUID(), closed],
      [last, account],
    ] as const)
      await jobs.emit(bulkOrchestrator.jobCompleted, endedJob(jobId, owner, 1));
    const lost = `SELECT payload FROM messaging.outbox WHERE subject LIKE '%deliveries%ost%' ORDER BY seq DESC LIMIT 1`;
    await eventually(async () => expect(await fetcher.query(lost)).toEqual([{ payload: { batchId: last } }]));
    const all = `SELECT payload ->> 'batchId' AS id FROM messaging.outbox WHERE subject LIKE '%deliveries%ost%'`;
    expect((await fetcher.query<{ id: string }>(all)).map(({ id }) => id)).not.toContain(erased);
  });
});
