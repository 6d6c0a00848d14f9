import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bulkOrchestrator } from '@tds/contracts';
import { codeOf, eventually } from '@tds/test-kit';
import { failedRow, newJob, newRow } from '../test-support/fake-neighbours.ts';
import { readBytes, startArchiver, type TestArchiver, unpack } from '../test-support/start-archiver.ts';

const PART_BYTES = 40_000;
const NOW = { waitMs: 0 };

let archiver: TestArchiver;
beforeAll(async () => {
  archiver = await startArchiver({ partBytes: PART_BYTES });
});
afterAll(() => archiver.stop());

const addJob = (rows = [newRow(0), failedRow(1)]) => {
  const job = newJob(rows);
  archiver.jobs.add(job);
  return job.job.id;
};
const query = async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await archiver.kit().db.query(sql, values)).rows as Row[];
const storedKeys = () => query<{ key: string }>('SELECT key FROM archive_objects ORDER BY key');
const stateOf = async (jobId: string) =>
  (await query<{ state: string }>('SELECT state FROM archives WHERE job_id = $1', [jobId]))[0]?.state;
/** Failed attempts of the build of a job. */
const attemptsOf = async (jobId: string): Promise<number> => {
  const [task] = await query<{ attempts: number }>(
    `SELECT t.attempts FROM messaging.tasks t JOIN archives a ON a.id::text = t.payload ->> 'archiveId'
     WHERE a.job_id = $1 AND t.lease_until IS NULL`,
    [jobId],
  );
  return task?.attempts ?? 0;
};

describe('a large archive', () => {
  it('is split into parts below the limit, which together have every file once', async () => {
    archiver.files.repeats = 40;
    const jobId = addJob(
      Array.from({ length: 150 }, (_, n) => newRow(n, { title: `Title ${randomBytes(8).toString('hex')}` })),
    );
    const ready = await archiver.get(jobId);
    archiver.files.repeats = 1;
    expect(ready.parts.length).toBeGreaterThan(2);
    expect(ready.parts.every(({ bytes }) => bytes < PART_BYTES)).toBe(true);
    const names: string[] = [];
    for (const { part } of ready.parts) {
      const files = Object.keys(await unpack(await readBytes(archiver.objects(), ready, part)));
      const [page, json, csv, ...transcripts] = files;
      expect([page, json, csv]).toEqual(['Source/index.html', 'Source/manifest.json', 'Source/manifest.csv']);
      names.push(...transcripts);
    }
    expect(new Set(names).size).toBe(150);
    expect(names).toHaveLength(150);
  });
});

describe('a build that fails', () => {
  it('is retried after one, ten and sixty minutes, then fails for an hour', async () => {
    const jobId = addJob();
    archiver.renderer.failures.remaining = 4;
    await archiver.ask(jobId, NOW);
    for (const [failed, waitsMs] of [60_000, 600_000, 3_600_000].entries()) {
      await eventually(async () => expect(await attemptsOf(jobId)).toBe(failed + 1));
      const [task] = await query<{ ms: number }>(
        `SELECT extract(epoch FROM due_at - clock_timestamp()) * 1000 AS ms FROM messaging.tasks
         WHERE state = 'ready' AND lease_until IS NULL`,
      );
      expect(Math.abs(Number(task?.ms) - waitsMs)).toBeLessThan(waitsMs / 2);
      expect((await archiver.ask(jobId, NOW)).state).toBe('queued');
      await archiver.hurry();
    }
    await eventually(async () => expect(await stateOf(jobId)).toBe('failed'));
    archiver.later(20);
    await expect(archiver.ask(jobId)).rejects.toMatchObject({
      data: { code: 'archive_failed', retryable: true, retryAfterSeconds: 2_400 },
    });
    archiver.later(40);
    expect((await archiver.get(jobId)).parts).toHaveLength(1);
  });

  it('is built again at once on request, or when the job changes', async () => {
    const job = newJob([newRow(0)]);
    archiver.jobs.add(job);
    archiver.renderer.failures.remaining = 4;
    await archiver.ask(job.job.id, NOW);
    for (const attempt of [1, 2, 3]) {
      await eventually(async () => expect(await attemptsOf(job.job.id)).toBe(attempt));
      await archiver.hurry();
    }
    await eventually(async () => expect(await codeOf(archiver.ask(job.job.id, NOW))).toBe('archive_failed'));
    const { rows } = job;
    job.rows = [newRow(0, { title: 'Another' })];
    const changed = await archiver.get(job.job.id);
    job.rows = rows;
    expect(await codeOf(archiver.ask(job.job.id))).toBe('archive_failed');
    expect((await archiver.get(job.job.id, { rebuild: true })).archiveId).not.toBe(changed.archiveId);
  });

  it('because the job has changed since the request, can be requested again', async () => {
    const job = newJob([newRow(0)]);
    archiver.jobs.add(job);
    const manifest = archiver.jobs.commands.getJobManifest;
    archiver.jobs.commands.getJobManifest = async () => {
      const before = { ...job };
      job.rows = [newRow(0), newRow(1)];
      return before;
    };
    expect(await codeOf(archiver.ask(job.job.id))).toBe('archive_source_changed');
    archiver.jobs.commands.getJobManifest = manifest;
    expect((await archiver.get(job.job.id)).parts).toHaveLength(1);
  });

  it('leaves nothing behind: objects of an attempt are deleted when it cannot be storing any more', async () => {
    archiver.files.repeats = 40;
    const rows = Array.from({ length: 120 }, (_, n) => newRow(n, { title: randomBytes(20).toString('hex') }));
    const jobId = addJob(rows);
    const before = new Set((await storedKeys()).map(({ key }) => key));
    const { getAll } = archiver.objects();
    const read = archiver.objects() as { getAll: typeof getAll };
    let reads = 0;
    read.getAll = async (keys) => {
      reads += 1;
      if (reads === 2) throw new Error('the object store is away');
      return getAll(keys);
    };
    await archiver.ask(jobId, NOW);
    await eventually(async () => expect(await attemptsOf(jobId)).toBe(1));
    read.getAll = getAll;
    const leftOver = (await storedKeys()).filter(({ key }) => !before.has(key));
    expect(leftOver.length).toBeGreaterThan(0);
    await archiver.hurry();
    const ready = await archiver.get(jobId);
    archiver.files.repeats = 1;
    archiver.later(61);
    await archiver.sweep('deleteOldArchives');
    for (const { key } of leftOver) expect(await archiver.objects().stat(key)).toBeNull();
    for (const { objectKey } of ready.parts) expect(await archiver.objects().stat(objectKey)).not.toBeNull();
  });
});

describe('an archive that is seven days old', () => {
  it('is deleted with its objects, and built again on request', async () => {
    const jobId = addJob();
    const old = await archiver.get(jobId);
    archiver.later(7 * 24 * 60);
    await archiver.sweep('deleteOldArchives');
    for (const { objectKey } of old.parts) expect(await archiver.objects().stat(objectKey)).toBeNull();
    expect(await stateOf(jobId)).toBeUndefined();
    const again = await archiver.get(jobId);
    expect(again.parts[0]?.sha256).toBe(old.parts[0]?.sha256);
  });

  it('is not answered any more, even if it is not deleted yet', async () => {
    const jobId = addJob();
    const old = await archiver.get(jobId);
    archiver.later(7 * 24 * 60);
    expect((await archiver.get(jobId)).archiveId).not.toBe(old.archiveId);
  });
});

describe('an erased job', () => {
  it('has its archives deleted, also one being built; those of other jobs stay', async () => {
    const [erased, other] = [addJob(), addJob()];
    const [gone, kept] = [await archiver.get(erased), await archiver.get(other)];
    archiver.renderer.failures.remaining = 1;
    await archiver.ask(erased, { ...NOW, formats: ['vtt'] });
    const { accountId } = archiver;
    await archiver.jobs.emit(bulkOrchestrator.jobErased, { jobId: erased, accountId });
    const statesOf = () =>
      query<{ state: string }>('SELECT state FROM archives WHERE job_id = $1 ORDER BY state', [erased]);
    await eventually(async () => {
      await archiver.sweep('deleteOldArchives');
      for (const { objectKey } of gone.parts) expect(await archiver.objects().stat(objectKey)).toBeNull();
    });
    expect(await statesOf()).toEqual([{ state: 'failed' }]);
    for (const { objectKey } of kept.parts) expect(await archiver.objects().stat(objectKey)).not.toBeNull();
    archiver.later(61);
    await archiver.sweep('deleteOldArchives');
    expect(await statesOf()).toEqual([]);
    archiver.renderer.failures.remaining = 0;
  });
});

describe('a build without its task', () => {
  const lose = async (jobId: string) => {
    archiver.renderer.failures.remaining = 1;
    await archiver.ask(jobId, NOW);
    await eventually(async () => expect(await attemptsOf(jobId)).toBe(1));
    await query(`DELETE FROM messaging.tasks WHERE state = 'ready'`);
  };

  it('is resumed', async () => {
    const jobId = addJob();
    await lose(jobId);
    archiver.later(2);
    await archiver.sweep('resumeBuilds');
    expect((await archiver.get(jobId)).parts).toHaveLength(1);
  });

  it('does not fail while it waits for others, however long', async () => {
    const jobId = addJob();
    await lose(jobId);
    await query('UPDATE archives SET begun_at = NULL WHERE job_id = $1', [jobId]);
    archiver.later(2_000);
    await archiver.sweep('resumeBuilds');
    expect((await archiver.get(jobId)).parts).toHaveLength(1);
  });

  it('fails when it took longer than all its attempts may', async () => {
    const jobId = addJob();
    await lose(jobId);
    archiver.later(200);
    await archiver.sweep('resumeBuilds');
    expect(await codeOf(archiver.ask(jobId))).toBe('archive_failed');
  });
});
