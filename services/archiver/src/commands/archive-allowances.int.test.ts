import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { tierLimits } from '@tds/contracts';
import { codeOf } from '@tds/test-kit';
import { failedRow, newJob, newRow } from '../test-support/fake-neighbours.ts';
import { startArchiver, type TestArchiver } from '../test-support/start-archiver.ts';

let archiver: TestArchiver;
beforeAll(async () => {
  archiver = await startArchiver();
});
afterAll(() => archiver.stop());
// Builds of the test before may still be running: they count on another day.
beforeEach(async () => {
  await archiver.kit().db.query('DELETE FROM archive_days');
});

/** More bytes than all archives of these tests. */
const ROOM = 10_000_000;
const FREE = { tier: 'free', waitMs: 0 } as const;
const MAX = tierLimits.free.archiveBuildsPerDay;
const DAY_MINUTES = 24 * 60;
const addJob = (rows = [failedRow(0)]) => {
  const job = newJob(rows);
  archiver.jobs.add(job);
  return job.job.id;
};
const counted = async (): Promise<number> =>
  Number((await archiver.kit().db.query('SELECT coalesce(sum(builds), 0) AS n FROM archive_days')).rows[0].n);
const kept = (bytes: number, inMinutes: number) =>
  archiver.kit().db.query(
    `INSERT INTO archives (id, account_id, job_id, contents, formats, state, created_at, bytes, expires_at)
     VALUES ($1, $2, $1, 'old', 'srt', 'ready', $3, $4, $3::timestamptz + $5 * interval '1 minute')`,
    [randomUUID(), archiver.accountId, archiver.clock.now(), bytes, inMinutes],
  );

describe('archives of an account', () => {
  it('have a daily limit of builds in any form; existing ones are answered', async () => {
    const jobId = addJob();
    const formats = ['json', 'clean', 'timestamped', 'both', 'srt', 'vtt', 'md'] as const;
    const subsets = Array.from({ length: 2 ** formats.length - 1 }, (_, n) =>
      formats.filter((_format, bit) => ((n + 1) >> bit) % 2 === 1),
    );
    const codes: string[] = [];
    for (const some of subsets.slice(0, MAX - 2))
      codes.push(await codeOf(archiver.ask(jobId, { ...FREE, formats: some })));
    await archiver.get(jobId, { tier: 'free' });
    for (const more of [{ rebuild: true }, { rebuild: true }, {}])
      await codeOf(archiver.get(jobId, { tier: 'free', ...more }));
    expect(new Set(codes)).toEqual(new Set(['answered']));
    expect(await counted()).toBe(MAX);
    const refused = archiver.ask(jobId, { ...FREE, formats: [...formats] });
    await expect(refused).rejects.toMatchObject({
      code: 'archive_cap',
      data: { retryAfterSeconds: expect.any(Number) },
    });
    expect(await codeOf(archiver.ask(addJob(), FREE))).toBe('archive_cap');
    expect((await archiver.get(jobId, { tier: 'free' })).parts).toHaveLength(1);
    archiver.later(DAY_MINUTES);
    expect(await codeOf(archiver.ask(addJob(), FREE))).toBe('answered');
  });

  it('reach the limit exactly with concurrent requests, and refusals do not count', async () => {
    const jobs = Array.from({ length: MAX + 10 }, () => addJob());
    const codes = await Promise.all(jobs.map((jobId) => codeOf(archiver.ask(jobId, FREE))));
    expect(codes.filter((code) => code === 'answered')).toHaveLength(MAX);
    expect(codes.filter((code) => code === 'archive_cap')).toHaveLength(10);
    expect(await counted()).toBe(MAX);
  });

  it('still count when they are replaced and deleted', async () => {
    const jobId = addJob();
    for (let turn = 0; turn < 3; turn += 1) await archiver.get(jobId, { tier: 'free', rebuild: true });
    archiver.later(11);
    await archiver.sweep('deleteOldArchives');
    expect(await counted()).toBe(3);
  });

  it('have a limit of kept bytes, and show when there is room again', async () => {
    await kept(tierLimits.free.archiveBytes - ROOM, 90);
    expect(await codeOf(archiver.ask(addJob(), FREE))).toBe('answered');
    await kept(ROOM, 60);
    await expect(archiver.ask(addJob(), FREE)).rejects.toMatchObject({
      code: 'archive_cap',
      data: { retryAfterSeconds: 3_600 },
    });
    expect(await codeOf(archiver.ask(addJob(), { ...FREE, tier: 'paid' }))).toBe('answered');
    archiver.later(61);
    expect(await codeOf(archiver.ask(addJob(), FREE))).toBe('answered');
  });

  it('are not started by a request that starts nothing', async () => {
    const rows = [newRow(0)];
    const jobId = addJob(rows);
    const look = { startsNothing: true, waitMs: 0 };
    expect(await codeOf(archiver.ask(jobId, look))).toBe('not_cached');
    expect(await codeOf(archiver.ask(jobId, { ...look, rebuild: true }))).toBe('not_cached');
    expect(await counted()).toBe(0);
    const ready = await archiver.get(jobId);
    const looked = await archiver.ask(jobId, { ...look, rebuild: true });
    expect(looked).toMatchObject({ state: 'ready', archiveId: ready.archiveId });
    expect(await counted()).toBe(1);
  });
});
