import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { type JobSummary, type ManifestRow, unknownVideo } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { jobFilePassages, manifestBody } from '@tds/http-api';
import { renderTranscript } from '@tds/transcript-format';
import { VIDEO_ID } from '../../test-support/builders.ts';
import { newJob, newStoredRow, sha256, undeliveredFields } from '../../test-support/jobs.ts';
import { setUpReads } from '../../test-support/reads.ts';

const reads = setUpReads();
const { get } = reads;

/** A job of the account that asks, as bulk-orchestrator would tell of it. */
const haveJob = (job: JobSummary, rows: ManifestRow[]): string => {
  const { commands } = reads.harness.jobs;
  commands.getJobManifest = async () => ({ job, version: 1, rows });
  commands.getJobFile = async ({ videoId }) => ({
    job,
    version: 1,
    row: rows.find((row) => row.video_id === videoId) as ManifestRow,
  });
  return `/v1/jobs/${job.id}`;
};
const haveStored = (file: string, fields: Partial<ManifestRow> = {}, job: Partial<JobSummary> = {}) => {
  const { row, objectKey, stored } = newStoredRow(file, fields);
  reads.harness.files.set(objectKey, stored);
  return { path: haveJob(newJob(job), [row]), row, objectKey, stored };
};
/** As the fetcher that still has the cues of these files: they are stored anew when they are asked for. */
const canRender = (files: readonly { row: ManifestRow; objectKey: string; stored: Buffer }[]) => {
  const asked: string[][] = [];
  reads.harness.fetcher.commands.renderTranscripts = async ({ transcripts }) => {
    const transcriptIds = transcripts.map(({ transcriptId }) => transcriptId);
    asked.push(transcriptIds);
    const rows = files.filter(({ row }) => transcriptIds.includes(row.transcript_id ?? ''));
    for (const { objectKey, stored } of rows) reads.harness.files.set(objectKey, stored);
    return {
      rows: rows.map(({ row, objectKey }) => ({
        ...{ transcriptId: row.transcript_id ?? '', state: 'rendered' as const, objectKey },
        ...{ bytes: row.bytes ?? 0, sha256: row.sha256 ?? '', crc32: 0 },
      })),
    };
  };
  return asked;
};
const FILE = '1\n00:00:00,000 --> 00:00:01,000\nHello\n';
const mdFile = renderTranscript(
  {
    video: { ...unknownVideo(VIDEO_ID), title: 'T', duration: 1 },
    language: { delivered: 'en', kind: 'manual' },
    cues: [{ startMs: 0, durationMs: 1_000, text: 'Hello' }],
  },
  'md',
);
const fallback = { requested_language: 'es', fallback: true, translation: 'refused' } as const;

describe('a manifest', () => {
  it('is JSON, with the digest of each file', async () => {
    const { path, row } = haveStored(FILE);
    const { status, body } = await get(`${path}/manifest`);
    expect(status).toBe(200);
    expect(manifestBody.parse(body).rows).toMatchObject([
      { video_id: VIDEO_ID, output_file: 'transcripts/2026-01-15 - A title.srt', sha256: row.sha256 },
    ]);
  });

  it('is CSV, as an attachment, which says if its source was not read whole', async () => {
    const { path } = haveStored(FILE, { title: '=1+1' }, { omitted: 2 });
    const { text, headers } = await get(`${path}/manifest?format=csv`);
    expect(headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'x-is-complete': 'false' });
    expect(headers['content-disposition']).toMatch(/^attachment; filename="manifest_[0-9a-f-]{36}\.csv"$/);
    expect(text).toMatch(/\r\n0,[\w-]{11},'=1\+1,2026-01-15,fetched,.*\r\nNOT COMPLETE: 2 entries /);
  });

  it.each([
    ['/manifest?format=xml', 'invalid_manifest_format'],
    ['/manifest?format=json&format=csv', 'invalid_manifest_format'],
    ['/manifest?language=en', 'unknown_parameter'],
  ])('%s is rejected', async (path, code) => {
    expect((await get(`${haveStored(FILE).path}${path}`)).body.code).toBe(code);
  });

  it('of an invalid or unknown job, or of another account, is not found', async () => {
    expect((await get('/v1/jobs/1/manifest')).body.code).toBe('invalid_job_id');
    const { path } = haveStored(FILE);
    reads.harness.jobs.commands.getJobManifest = async ({ accountId }) => {
      expect(accountId).toBe(reads.account.principal.accountId);
      throw serviceError('job_not_found');
    };
    expect((await get(`${path}/manifest`)).body.code).toBe('job_not_found');
  });
});

describe('a file of a job', () => {
  it.each([
    ['srt', FILE],
    ['md', mdFile],
  ] as const)('in %s is the bytes whose digest stands in the manifest', async (format, stored) => {
    const { path } = haveStored(stored, fallback, { format });
    const manifest = manifestBody.parse((await get(`${path}/manifest`)).body);
    const { headers, text } = await get(`${path}/files/${VIDEO_ID}`).buffer(true);
    expect(sha256(Buffer.from(text))).toBe(manifest.rows[0]?.sha256);
    expect(text.includes('- Language requested: es')).toBe(format === 'md');
    expect(headers).toMatchObject({
      'content-disposition': `attachment; filename="2026-01-15 - A title.${format}"`,
      'x-cache': 'HIT',
      'x-credits-charged': '0',
      'x-transcript-fallback': 'true',
    });
  });

  it('of a job in json has passages beside the cues, if they are wanted', async () => {
    const cues = [{ start: 83.9, duration: 2, text: 'One\nsentence.' }];
    const { path } = haveStored(JSON.stringify(cues), {}, { format: 'json' });
    const { body, headers } = await get(`${path}/files/${VIDEO_ID}?passages=true&passage_characters=200`);
    const url = `https://www.youtube.com/watch?v=${VIDEO_ID}&t=83s`;
    const passages = [{ start: 83.9, end: 85.9, text: 'One sentence.', url }];
    expect(jobFilePassages.parse(body)).toEqual({ ok: true, format: 'json', cues, passages });
    expect(headers).toMatchObject({ 'x-cache': 'HIT', 'x-transcript-fallback': 'false' });
  });

  it('has a passage for each chapter of the video', async () => {
    const cues = ['First.', 'Second.'].map((text, index) => ({ start: index * 10, duration: 10, text }));
    const { path } = haveStored(JSON.stringify(cues), {}, { format: 'json' });
    const { getVideoFacts } = reads.harness.fetcher.commands;
    reads.harness.fetcher.commands.getVideoFacts = async (request, context) => {
      const facts = await getVideoFacts(request, context);
      const chapters = [0, 10].map((start) => ({ start, title: `Part ${start}` }));
      return { ...facts, video: { ...facts.video, chapters } };
    };
    const { body } = await get(`${path}/files/${VIDEO_ID}?passages=true`);
    reads.harness.fetcher.commands.getVideoFacts = getVideoFacts;
    expect(jobFilePassages.parse(body).passages.map(({ text }) => text)).toEqual(['First.', 'Second.']);
  });

  it.each([
    ['passages=true', 'invalid_passages', 'srt'],
    ['passage_characters=300', 'invalid_passage_characters', 'json'],
    ['front_matter=true', 'invalid_front_matter', 'srt'],
  ] as const)('is refused with ?%s and says what to do', async (search, code, format) => {
    const { path } = haveStored(FILE, {}, { format });
    const { body, status } = await get(`${path}/files/${VIDEO_ID}?${search}`);
    expect([status, body.code]).toEqual([400, code]);
  });

  it('counts as a cached read', async () => {
    const { path } = haveStored(FILE);
    const account = await reads.harness.addAccount();
    const read = () => get(`${path}/files/${VIDEO_ID}`).set(account.bearer);
    for (let n = 0; n < 3; n++) expect((await read()).status).toBe(200);
    const keys = await reads.harness.redis.keys(`*${account.principal.keyId}*`);
    const counts = await Promise.all(keys.map((key) => reads.harness.redis.get(key).catch(() => null)));
    expect(counts).toContain('3');
  });

  it('that differs from the manifest, or is lost, is not delivered', async () => {
    const changed = haveStored(FILE, { sha256: '0'.repeat(64) });
    expect((await get(`${changed.path}/files/${VIDEO_ID}`)).body.code).toBe('manifest_file_unavailable');
    const lost = haveStored(FILE);
    reads.harness.files.delete(lost.objectKey);
    const { status, body, headers } = await get(`${lost.path}/files/${VIDEO_ID}`);
    expect([status, body.code]).toEqual([502, 'manifest_file_unavailable']);
    expect(headers['retry-after']).toBe('5');
  });

  it.each([
    ['srt', FILE],
    ['md', mdFile],
  ] as const)(
    'in %s that is lost is rendered again from its cues, and so is the manifest',
    async (format, file) => {
      const lost = haveStored(file, fallback, { format });
      const manifest = (await get(`${lost.path}/manifest`)).body;
      const before = (await get(`${lost.path}/files/${VIDEO_ID}`).buffer(true)).text;
      reads.harness.files.delete(lost.objectKey);
      const asked = canRender([lost]);
      expect((await get(`${lost.path}/manifest`)).body).toEqual(manifest);
      // The digests of other formats stand in the job itself.
      expect(asked).toHaveLength(format === 'md' ? 1 : 0);
      reads.harness.files.delete(lost.objectKey);
      expect((await get(`${lost.path}/files/${VIDEO_ID}`).buffer(true)).text).toBe(before);
      expect(asked.at(-1)).toEqual([lost.row.transcript_id]);
    },
  );

  it.each([
    ['srt', FILE],
    ['md', mdFile],
  ] as const)('in %s with a changed track is not delivered, and gets no new digest', async (format, file) => {
    const lost = haveStored(file, fallback, { format });
    reads.harness.files.delete(lost.objectKey);
    for (const text of [file.replace('Hello', 'Hullo'), file.replace('Hello', 'Hello, you')]) {
      canRender([{ ...lost, stored: deflateRawSync(text) }]);
      reads.harness.files.delete(lost.objectKey);
      expect((await get(`${lost.path}/files/${VIDEO_ID}`)).body.code).toBe('manifest_file_unavailable');
      const { rows } = manifestBody.parse((await get(`${lost.path}/manifest`)).body);
      expect(rows[0]?.sha256).toBe(format === 'md' ? null : lost.row.sha256);
    }
  });

  it('that is lost leaves the rest of the manifest complete, even if it cannot be rendered again', async () => {
    const files = Array.from({ length: 120 }, (_, n) => {
      const videoId = `video${String(n).padStart(6, '0')}`;
      return newStoredRow(mdFile, { ...fallback, position: n, video_id: videoId });
    });
    for (const { objectKey, stored } of files.slice(20)) reads.harness.files.set(objectKey, stored);
    const path = haveJob(
      newJob({ format: 'md' }),
      files.map(({ row }) => row),
    );
    let asked = 0;
    reads.harness.fetcher.commands.renderTranscripts = async () => {
      asked += 1;
      throw serviceError('service_unavailable', { retryAfterSeconds: 1 });
    };
    const digests = async () =>
      manifestBody.parse((await get(`${path}/manifest`)).body).rows.map((row) => row.sha256);
    const known = await digests();
    expect(known.filter((digest) => digest === null)).toHaveLength(20);
    expect(known.slice(20)).not.toContain(null);
    expect(asked).toBe(1);
    canRender(files);
    expect(await digests()).not.toContain(null);
  });

  it.each([
    [{ ...undeliveredFields, status: 'pending' }, 404, 'transcript_not_ready'],
    [{ ...undeliveredFields, status: 'error', error_code: 'no_captions' }, 404, 'job_video_not_found'],
  ] as const)('of a row without one answers why', async (fields, status, code) => {
    const { path } = haveStored(FILE, fields as Partial<ManifestRow>);
    const answer = await get(`${path}/files/${VIDEO_ID}`);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('of a waiting row has the time of its next attempt', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const waiting = { status: 'pending', waiting_for: 'broadcast', next_attempt_at: tomorrow } as const;
    const { path } = haveStored(FILE, { ...undeliveredFields, ...waiting } as Partial<ManifestRow>);
    const answer = await get(`${path}/files/${VIDEO_ID}`);
    expect(answer.body).toMatchObject({ errorClass: 'NoCaptions', retryable: true });
    expect(answer.body.retry_after).toBeGreaterThan(86_000);
    expect(answer.body.retry_after).toBeLessThanOrEqual(86_400);
    expect(answer.headers['retry-after']).toBe(String(answer.body.retry_after));
  });

  it('of an invalid video id is rejected', async () => {
    expect((await get(`${haveStored(FILE).path}/files/x`)).body.code).toBe('invalid_video_id');
  });
});
