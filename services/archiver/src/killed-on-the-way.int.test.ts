import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestPool } from '@tds/base/testing';
import { passLeases } from '@tds/kit/testing';
import { doomedProcesses, dueRows, eventually, proven } from '@tds/test-kit';
import { failedRow, newJob, newRow } from './test-support/fake-neighbours.ts';
import { readBytes, startArchiver, type TestArchiver, unpack } from './test-support/start-archiver.ts';

const program = path.resolve(import.meta.dirname, 'main.ts');
const FILES = 3;

let archiver: TestArchiver;
/** Observes while no archiver runs. */
let pool: ReturnType<typeof createTestPool>;
const doomed = doomedProcesses(program, () => archiver.environment);
beforeAll(async () => {
  archiver = await startArchiver();
  pool = createTestPool(archiver.harness.databases.archiver.url);
});
afterAll(async () => {
  doomed.stop();
  await pool?.end();
  await archiver?.stop();
});

/** Starts a new process with the clock of the dead one, after its leases have ended. */
const startAgain = async (): Promise<void> => {
  await passLeases('archiver', archiver.harness.databases.archiver);
  archiver.clock.set(new Date(Date.now() + 2_000));
  await archiver.startService();
};

const query = async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await pool.query(sql, values)).rows as Row[];
const keysOf = async (jobId: string): Promise<string[]> =>
  (
    await query<{ key: string }>(
      'SELECT o.key FROM archive_objects AS o JOIN archives AS a ON a.id = o.archive_id WHERE a.job_id = $1 ORDER BY o.key',
      [jobId],
    )
  ).map(({ key }) => key);
const isStored = async (key: string): Promise<boolean> => (await archiver.objects().stat(key)) !== null;

const deletionIsDue = (at: 'now' | 'tomorrow') =>
  dueRows('archiver', query).makeDue(
    'messaging.schedules',
    { where: "name = 'delete-old-archives'" },
    at === 'now' ? '0' : '1 day',
  );

const addJob = async (format: 'srt' | 'md' = 'srt'): Promise<string> => {
  const rows = [...Array.from({ length: FILES }, (_, position) => newRow(position)), failedRow(FILES)];
  for (const { transcript_id: id } of rows) if (id) await archiver.renderer.prepare(id, format);
  const job = newJob(rows, { format });
  archiver.jobs.add(job);
  return job.job.id;
};

describe('an archiver whose process is killed', () => {
  const own = ['archive-part-noted', 'archive-part-stored', 'archive-built'].map((at) => `${at}:build-archive`);
  it.each([...own, ...proven([], ['transaction-committed:get-archive', 'task-completed:build-archive'])])(
    'at %s builds the same ZIP as if nothing had happened, and leaves no other one behind',
    async (crashAt) => {
      const jobId = await addJob();
      await archiver.stopService();
      await doomed.dieAt(crashAt, () => archiver.ask(jobId, { waitMs: 500 }));
      await startAgain();
      const ready = await eventually(() => archiver.get(jobId));
      const bytes = await readBytes(archiver.objects(), ready);
      expect(Object.keys(await unpack(bytes))).toHaveLength(3 + FILES);
      // Objects of the dead process are known, and deleted when it cannot be storing any more.
      const [kept] = ready.parts.map(({ objectKey }) => objectKey);
      expect(await keysOf(jobId)).toContain(kept);
      const left = (await keysOf(jobId)).filter((key) => key !== kept);
      archiver.later(61);
      await archiver.sweep('deleteOldArchives');
      expect(await keysOf(jobId)).toEqual([kept]);
      expect(await Promise.all(left.map(isStored))).toEqual(left.map(() => false));
      const again = await archiver.get(jobId, { rebuild: true });
      expect(again.parts.map(({ sha256 }) => sha256)).toEqual(ready.parts.map(({ sha256 }) => sha256));
    },
  );

  it('in the middle of a document builds it again whole, and leaves no other one behind', async () => {
    const jobId = await addJob('md');
    await archiver.stopService();
    await doomed.dieAt('archive-part-stored:build-archive', () => archiver.askDocument(jobId, { waitMs: 500 }));
    await startAgain();
    const ready = await eventually(async () => {
      const reply = await archiver.askDocument(jobId);
      return reply.state === 'ready' ? reply : Promise.reject(new Error('it is being built'));
    });
    const text = (await readBytes(archiver.objects(), ready)).toString();
    expect(text.match(/^\*\*Title \d+\*\*$/gm)).toHaveLength(FILES);
    const [kept] = ready.parts.map(({ objectKey }) => objectKey);
    archiver.later(61);
    await archiver.sweep('deleteOldArchives');
    expect(await keysOf(jobId)).toEqual([kept]);
  });

  it('at archive-objects-deleted has forgotten no stored ZIP, and deletes the rest', async () => {
    const jobId = await addJob();
    const ready = await archiver.get(jobId);
    const [key = ''] = ready.parts.map(({ objectKey }) => objectKey);
    expect(await isStored(key)).toBe(true);
    archiver.clock.set('2026-01-15T12:00:00.000Z');
    await archiver.stopService();
    await query(`UPDATE archives SET expires_at = now() - interval '1 minute' WHERE job_id = $1`, [jobId]);
    await deletionIsDue('now');
    await doomed.dieAt('archive-objects-deleted:delete-old-archives');
    await deletionIsDue('tomorrow');
    await startAgain();
    expect([await keysOf(jobId), await isStored(key)]).toEqual([[key], false]);
    await archiver.sweep('deleteOldArchives');
    expect(await keysOf(jobId)).toEqual([]);
  });
});
