import { createHash, randomUUID } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ManifestEntry } from '@tds/contracts';
import type { ServiceError } from '@tds/errors';
import { codeOf } from '@tds/test-kit';
import { failedRow, newJob, newRow, renderFile } from '../test-support/fake-neighbours.ts';
import { readBytes, startArchiver, type TestArchiver, unpack } from '../test-support/start-archiver.ts';

let archiver: TestArchiver;
beforeAll(async () => {
  archiver = await startArchiver();
});
afterAll(() => archiver.stop());
beforeEach(() => void archiver.renderer.requests.splice(0));

const addJob = (...given: Parameters<typeof newJob>) => {
  const job = newJob(...given);
  archiver.jobs.add(job);
  return job;
};
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const rowsOf = (manifest: Buffer | undefined): ManifestEntry[] => JSON.parse(String(manifest)).rows;

describe('the archive of a job', () => {
  it('has every delivered file, and manifests that describe them', async () => {
    const rows = [newRow(0), newRow(1, { title: 'Title 0' }), failedRow(2)];
    const { job } = addJob(rows);
    const ready = await archiver.get(job.id);
    expect(ready).toMatchObject({ formats: ['srt'], expiresAt: '2026-01-22T12:00:00.000Z' });
    const zip = await readBytes(archiver.objects(), ready);
    expect(ready.parts).toEqual([
      { part: 1, objectKey: expect.any(String), bytes: zip.length, sha256: sha256(zip) },
    ]);
    const files = await unpack(zip);
    const names = ['2026-01-15 - Title 0.srt', '2026-01-15 - Title 0 (2).srt'];
    expect(Object.keys(files)).toEqual([
      'Source/index.html',
      'Source/manifest.json',
      'Source/manifest.csv',
      ...names.map((name) => `Source/transcripts/${name}`),
    ]);
    const entries = rowsOf(files['Source/manifest.json']);
    expect(entries.map(({ output_file }) => output_file)).toEqual([
      ...names.map((name) => `Source/transcripts/${name}`),
      null,
    ]);
    for (const [n, { output_file, sha256: digest }] of entries.slice(0, 2).entries()) {
      const file = files[output_file ?? ''] as Buffer;
      expect(file).toEqual(renderFile(rows[n]?.transcript_id ?? '', 'srt'));
      expect(digest).toBe(sha256(file));
    }
  });

  it('has the same bytes when it is built again as another archive', async () => {
    const { job } = addJob([newRow(0), newRow(1), failedRow(2)]);
    const [first, again] = [await archiver.get(job.id), await archiver.get(job.id, { rebuild: true })];
    expect(again.archiveId).not.toBe(first.archiveId);
    expect(again.parts[0]?.sha256).toBe(first.parts[0]?.sha256);
    expect((await archiver.get(job.id)).archiveId).toBe(again.archiveId);
  });

  it('in its own format is made of the files that its rows name, without a request', async () => {
    const rows = await Promise.all(
      [0, 1].map(async (position) => {
        const file = renderFile(randomUUID(), 'srt');
        const object_key = `rendered/own-${randomUUID()}`;
        await archiver.renderer.kit().objects.put(object_key, deflateRawSync(file));
        const numbers = { bytes: file.length, sha256: sha256(file), crc32: crc32(file) };
        return newRow(position, { object_key, ...numbers });
      }),
    );
    const { job } = addJob(rows);
    const ready = await archiver.get(job.id);
    const files = await unpack(await readBytes(archiver.objects(), ready));
    for (const { output_file, sha256: digest } of rowsOf(files['Source/manifest.json']))
      expect(sha256(files[output_file ?? ''] as Buffer)).toBe(digest);
    expect(archiver.renderer.requests).toEqual([]);
    // Only a file that the store has lost is requested.
    const lost = newRow(2);
    const { job: other } = addJob([...rows, lost]);
    expect((await archiver.get(other.id)).parts).toHaveLength(1);
    expect(archiver.renderer.requests.map(({ request }) => request)).toMatchObject([
      { transcripts: [{ transcriptId: lost.transcript_id, videoId: lost.video_id }] },
    ]);
  });

  it('depends on contents: another row under the same version is another archive, another version of the same rows is not', async () => {
    const job = addJob([newRow(0)]);
    const first = await archiver.get(job.job.id);
    job.version += 1;
    expect((await archiver.get(job.job.id)).archiveId).toBe(first.archiveId);
    job.version -= 1;
    for (const changed of [
      { title: 'Another' },
      { object_key: 'rendered/other' },
      { sha256: '1'.repeat(64) },
    ]) {
      job.rows = [{ ...job.rows[0], ...changed } as (typeof job.rows)[number]];
      expect((await archiver.get(job.job.id)).archiveId).not.toBe(first.archiveId);
    }
  });

  it('in several formats has a folder for each, in any order of the request', async () => {
    const row = newRow(0, { requested_language: 'es', fallback: true, translation: 'refused' });
    const { job } = addJob([row]);
    const ready = await archiver.get(job.id, { formats: ['md', 'clean'] });
    expect((await archiver.get(job.id, { formats: ['clean', 'md'] })).archiveId).toBe(ready.archiveId);
    const files = await unpack(await readBytes(archiver.objects(), ready));
    expect(Object.keys(files)).toEqual([
      'Source/index.html',
      ...['clean', 'md'].flatMap((format) => [
        `Source/${format}/manifest.json`,
        `Source/${format}/manifest.csv`,
      ]),
      'Source/clean/transcripts/2026-01-15 - Title 0.txt',
      'Source/md/transcripts/2026-01-15 - Title 0.md',
    ]);
    const [entry] = rowsOf(files['Source/md/manifest.json']);
    const file = files[entry?.output_file ?? ''] as Buffer;
    expect(file.toString()).toContain('- Language requested: es\n');
    expect(entry?.sha256).toBe(sha256(file));
  });

  it('of a channel is in a folder with its name', async () => {
    const { job } = addJob([newRow(0, { channel_title: 'A/B: channel' })], {
      source: { kind: 'channel', input: '@handle' },
    });
    const files = await unpack(await readBytes(archiver.objects(), await archiver.get(job.id)));
    expect(Object.keys(files)).toContain('A_B_ channel/transcripts/2026-01-15 - Title 0.srt');
    const [entry] = rowsOf(files['A_B_ channel/manifest.json']);
    expect(entry?.output_file).toBe('A_B_ channel/transcripts/2026-01-15 - Title 0.srt');
  });

  it('of a job without delivered files has its manifests', async () => {
    const { job } = addJob([failedRow(0)], { status: 'failed' });
    const ready = await archiver.get(job.id);
    expect(Object.keys(await unpack(await readBytes(archiver.objects(), ready)))).toEqual([
      'Source/index.html',
      'Source/manifest.json',
      'Source/manifest.csv',
    ]);
  });

  it('is built once for all concurrent callers, in any process', async () => {
    const other = await archiver.startInstance();
    const { job } = addJob([newRow(0), newRow(1)]);
    const ready = await Promise.all(Array.from({ length: 12 }, () => archiver.get(job.id)));
    expect(new Set(ready.map(({ archiveId }) => archiveId)).size).toBe(1);
    expect(archiver.renderer.requests).toHaveLength(1);
    await other.stop();
  });

  it('is another one when the job has changed, and the old one is deleted after its readers have finished', async () => {
    const job = addJob([newRow(0)]);
    const before = await archiver.get(job.job.id);
    Object.assign(job, { version: 8, rows: [...job.rows, newRow(1)] });
    const after = await archiver.get(job.job.id);
    expect(after.archiveId).not.toBe(before.archiveId);
    await archiver.sweep('deleteOldArchives');
    expect(await archiver.objects().stat(before.parts[0]?.objectKey ?? '')).not.toBeNull();
    archiver.later(11);
    await archiver.sweep('deleteOldArchives');
    expect(await archiver.objects().stat(before.parts[0]?.objectKey ?? '')).toBeNull();
    expect((await archiver.get(job.job.id)).archiveId).toBe(after.archiveId);
  });

  it('is reported as queued to a caller that does not wait', async () => {
    const { job } = addJob([newRow(0)]);
    expect(await archiver.ask(job.id, { waitMs: 0 })).toEqual({
      state: 'queued',
      archiveId: expect.any(String),
    });
    await archiver.get(job.id);
  });
});

describe('there is no archive', () => {
  it.each(['pending', 'running', 'paused', 'enumerating'] as const)('of a job that is %s', async (status) => {
    const { job } = addJob([newRow(0)], { status });
    expect(await codeOf(archiver.ask(job.id))).toBe('archive_job_not_ready');
  });

  it('of a job with waiting rows before the last is retried', async () => {
    const inAnHour = new Date(archiver.clock.now().getTime() + 3_600_000).toISOString();
    const late = newRow(1);
    Object.assign(late, { status: 'pending', waiting_for: 'retry', next_attempt_at: inAnHour });
    const { job } = addJob([newRow(0), late], { status: 'running' });
    const refused = await archiver.ask(job.id).catch((error: ServiceError) => error);
    expect(refused).toMatchObject({ code: 'archive_job_not_ready' });
    expect((refused as ServiceError).data.retryAfterSeconds).toBe(3_600);
  });

  it('of a cancelled job before its last row has ended', async () => {
    const job = addJob([newRow(0)], { status: 'cancelled' });
    job.job.counts.processing = 1;
    expect(await codeOf(archiver.ask(job.job.id))).toBe('archive_job_not_ready');
    job.job.counts.processing = 0;
    expect((await archiver.get(job.job.id)).parts).toHaveLength(1);
  });

  it('of a job of another account', async () => {
    const { job } = addJob([newRow(0)]);
    await archiver.get(job.id);
    expect(await codeOf(archiver.ask(job.id, { accountId: randomUUID() }))).toBe('job_not_found');
  });
});
