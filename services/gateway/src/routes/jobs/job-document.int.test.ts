import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { unknownVideo } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { renderTranscript } from '@tds/transcript-format';
import { VIDEO_ID } from '../../test-support/builders.ts';
import { newJob, newStoredRow, sha256 } from '../../test-support/jobs.ts';
import { setUpReads } from '../../test-support/reads.ts';

const reads = setUpReads();
const { get, head } = reads;

describe('a document', () => {
  const ids = { archive: randomUUID(), job: randomUUID() };
  const path = `/v1/jobs/${ids.job}/document`;
  const haveDocument = (...texts: string[]) => {
    const parts = texts.map((text, n) => {
      const objectKey = `archives/${ids.archive}/${n + 1}.txt`;
      reads.harness.files.set(objectKey, Buffer.from(text));
      return { part: n + 1, objectKey, bytes: Buffer.byteLength(text), sha256: sha256(Buffer.from(text)) };
    });
    const asked: unknown[] = [];
    reads.harness.archives.commands.getDocument = async (request) => {
      asked.push(request);
      const expiresAt = '2026-01-22T00:00:00.000Z';
      return { state: 'ready', archiveId: ids.archive, formats: [request.format], parts, expiresAt };
    };
    return asked;
  };

  it.each([
    ['', 'md', null, 'text/markdown; charset=utf-8', 'md'],
    ['?format=txt', 'clean', null, 'text/plain; charset=utf-8', 'txt'],
    ['?format=md&max_words=500000', 'md', 500_000, 'application/zip', 'zip'],
  ] as const)('is streamed as what it is: %s', async (search, format, maxWords, type, extension) => {
    const asked = haveDocument('# Talks');
    const { status, headers } = await get(`${path}${search}`);
    expect([status, headers['content-type'], headers['x-cache'], headers['x-credits-charged']]).toEqual([
      ...[200, type, 'HIT', '0'],
    ]);
    expect(headers['content-disposition']).toBe(`attachment; filename="job_${ids.job}.${extension}"`);
    expect(asked).toMatchObject([{ jobId: ids.job, format, maxWords, startsNothing: false }]);
  });

  it('continues at a range, and is not sent again to who has it', async () => {
    haveDocument('# Talks');
    const rest = await get(path).set({ range: 'bytes=2-' });
    expect([rest.status, rest.text, rest.headers['content-range']]).toEqual([206, 'Talks', 'bytes 2-6/7']);
    const known = await get(path).set({ 'if-none-match': rest.headers.etag as string });
    expect(known.status).toBe(304);
  });

  it('of several ZIPs is an index, whose addresses lead to each of them', async () => {
    const asked = haveDocument('first', 'second');
    const { body } = await get(`${path}?format=txt&max_words=1000`);
    const url = `${path}?format=txt&max_words=1000&archive_id=${ids.archive}&part=2`;
    expect(body).toMatchObject({ status: 'ready', parts: [{ part: 1 }, { part: 2, url }] });
    expect((await get(url)).headers['content-length']).toBe('6');
    expect(asked).toMatchObject(Array(2).fill({ format: 'clean', maxWords: 1_000 }));
  });

  it('is described by HEAD, which builds nothing', async () => {
    const asked = haveDocument('# Talks');
    expect((await head(path)).headers['content-length']).toBe('7');
    expect(asked).toMatchObject([{ startsNothing: true, waitMs: 0 }]);
  });

  it('that is being built is a 202 with the time to ask again', async () => {
    reads.harness.archives.commands.getDocument = async () => ({ state: 'queued', archiveId: ids.archive });
    const { status, body, headers } = await get(path);
    expect([status, body.status, headers['retry-after']]).toEqual([202, 'queued', '5']);
  });

  it.each([
    ['max_words=0', 400, 'invalid_max_words'],
    ['max_words=-1', 400, 'invalid_max_words'],
    ['max_words=999', 400, 'invalid_max_words'],
    ['max_words=1e9', 400, 'invalid_max_words'],
    ['max_words=1000000000', 400, 'invalid_max_words'],
    ['max_words=many', 400, 'invalid_max_words'],
    ['max_words=1000&max_words=2000', 400, 'invalid_max_words'],
    ['format=json', 400, 'invalid_document_format'],
    ['format=clean', 400, 'invalid_document_format'],
    ['front_matter=true', 400, 'unknown_parameter'],
    ['part=2', 404, 'archive_part_not_found'],
  ])('is refused with ?%s', async (search, status, code) => {
    haveDocument('# Talks');
    const answer = await get(`${path}?${search}`);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it.each([
    ['job_not_found', 404],
    ['document_empty', 404],
    ['archive_job_not_ready', 409],
  ] as const)('answers %s of the archiver', async (code, status) => {
    reads.harness.archives.commands.getDocument = async () => {
      throw serviceError(code);
    };
    const answer = await get(path);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});

describe('a file of a job', () => {
  it('has front matter on request, if it is Markdown', async () => {
    const video = { ...unknownVideo(VIDEO_ID), title: 'T', duration: 1 };
    const cues = [{ startMs: 0, durationMs: 1_000, text: 'Hello' }];
    const file = renderTranscript({ video, cues, language: { delivered: 'en', kind: 'manual' } }, 'md');
    const fields = { title: 'T: "x"', channel_title: null, duration: null };
    const { row, objectKey, stored } = newStoredRow(file, fields);
    reads.harness.files.set(objectKey, stored);
    const job = newJob({ format: 'md' });
    reads.harness.jobs.commands.getJobFile = async () => ({ job, version: 1, row });
    const { text } = await get(`/v1/jobs/${job.id}/files/${VIDEO_ID}?front_matter=true`);
    expect(text).toMatch(/^---\ntitle: "T: \\"x\\""\npublished_at: 2026-01-15\nlanguage: "en"\n/);
    expect(text).toMatch(/tags: \[transcript\]\n---\n\n# T\n\n- Words: 1\n/);
  });
});
