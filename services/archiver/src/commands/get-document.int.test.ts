import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MIN_DOCUMENT_WORDS, type RequestOf, type archiver as service } from '@tds/contracts';
import { codeOf, eventually } from '@tds/test-kit';
import { failedRow, newJob, newRow, renderFile } from '../test-support/fake-neighbours.ts';
import {
  type ReadyArchive,
  readBytes,
  startArchiver,
  type TestArchiver,
  unpack,
} from '../test-support/start-archiver.ts';

let archiver: TestArchiver;
beforeAll(async () => {
  archiver = await startArchiver();
});
afterAll(() => archiver.stop());

const addJob = (...given: Parameters<typeof newJob>) => {
  const job = newJob(...given);
  archiver.jobs.add(job);
  return job;
};
const get = async (
  jobId: string,
  fields: Partial<RequestOf<typeof service.getDocument>> = {},
): Promise<ReadyArchive> => {
  const reply = await archiver.askDocument(jobId, fields);
  if (reply.state !== 'ready') throw new Error('the document is not built yet');
  return reply;
};
const textOf = async (ready: ReadyArchive): Promise<string> =>
  (await readBytes(archiver.objects(), ready)).toString();

describe('the document of a job', () => {
  it('has every delivered transcript in the order of the job, and its contents before them', async () => {
    const rows = [newRow(0), failedRow(1), newRow(2, { title: 'Title 0' })];
    const { job } = addJob(rows, { name: 'Talks' });
    const text = await textOf(await get(job.id));
    expect(text.match(/^(?:#|\d+\.).*/gm)).toEqual([
      ...['# Talks', '## Contents'],
      ...['1. [Title 0](#transcript-1), 2026-01-15', '2. [Title 0](#transcript-2), 2026-01-15'],
      ...['## Transcript 1', '## Transcript 2'],
    ]);
    for (const { transcript_id: id } of [rows[0], rows[2]].flatMap((row) => row ?? []))
      expect(text.split(String(id))).toHaveLength(2);
    const plain = await textOf(await get(job.id, { format: 'clean' }));
    expect(plain).toContain(`\n\n${renderFile(String(rows[0]?.transcript_id), 'clean')}\n`);
    expect(plain).not.toContain('](');
  });

  it('is built once for the same contents, and is another one than the archive of its format', async () => {
    const { job } = addJob([newRow(0)], { format: 'md' });
    const [archive, document] = [await archiver.get(job.id), await get(job.id)];
    expect(document.archiveId).not.toBe(archive.archiveId);
    expect((await get(job.id)).archiveId).toBe(document.archiveId);
    expect((await get(job.id, { maxWords: 5_000 })).archiveId).not.toBe(document.archiveId);
    const again = await get(job.id, { rebuild: true });
    expect(again.parts[0]?.sha256).toBe(document.parts[0]?.sha256);
    // What it replaces is its own kind only.
    archiver.later(11);
    await archiver.sweep('deleteOldArchives');
    expect((await archiver.get(job.id)).archiveId).toBe(archive.archiveId);
  });

  it('in parts is a ZIP of numbered texts below the words, which together have every transcript once', async () => {
    archiver.files.repeats = 300;
    const rows = Array.from({ length: 8 }, (_, n) => newRow(n));
    const { job } = addJob(rows, { name: 'A: b' });
    const ready = await get(job.id, { maxWords: MIN_DOCUMENT_WORDS });
    archiver.files.repeats = 1;
    const files = await unpack(await readBytes(archiver.objects(), ready));
    const names = Object.keys(files);
    expect(names.length).toBeGreaterThan(3);
    expect(names).toEqual(names.map((_, n) => `A_ b - ${String(n + 1).padStart(3, '0')}.md`));
    const texts = Object.values(files).map(String);
    for (const text of texts) expect(text.split(/\s+/).length).toBeLessThanOrEqual(MIN_DOCUMENT_WORDS);
    for (const { title } of rows) expect(texts.join('').split(`**${title}**\n`)).toHaveLength(2);
  });

  it('of a cancelled job is what it has delivered', async () => {
    const { job } = addJob([newRow(0), failedRow(1)], { status: 'cancelled' });
    expect(await textOf(await get(job.id))).toContain('## Transcript 1\n\n**Title 0**\n');
  });

  it('is refused if there is none', async () => {
    const [empty, running] = [
      addJob([failedRow(0)], { status: 'failed' }).job,
      addJob([newRow(0)], { status: 'running' }).job,
    ];
    expect(await codeOf(get(empty.id))).toBe('document_empty');
    expect(await codeOf(get(running.id))).toBe('archive_job_not_ready');
    expect(await codeOf(get(addJob([newRow(0)]).job.id, { accountId: randomUUID() }))).toBe('job_not_found');
    expect(await codeOf(get(addJob([newRow(0)]).job.id, { startsNothing: true }))).toBe('not_cached');
  });

  it('is whole after the store of objects was away in the middle of it', async () => {
    const { job } = addJob(Array.from({ length: 120 }, (_, n) => newRow(n)));
    const store = archiver.objects() as { getAll: ReturnType<typeof archiver.objects>['getAll'] };
    const { getAll } = store;
    let reads = 0;
    store.getAll = async (keys) => {
      reads += 1;
      if (reads === 2) throw new Error('the object store is away');
      return getAll(keys);
    };
    expect((await archiver.askDocument(job.id, { waitMs: 0 })).state).toBe('queued');
    await eventually(() => expect(reads).toBe(2));
    store.getAll = getAll;
    const ready = await eventually(async () => {
      await archiver.hurry();
      return get(job.id, { waitMs: 500 });
    });
    expect((await textOf(ready)).match(/^## Transcript \d+$/gm)).toHaveLength(120);
  });
});

describe('notes', () => {
  it('are files with front matter, whose manifests have their digests', async () => {
    const { job } = addJob([newRow(0, { title: 'T: "x"' })], { format: 'md' });
    const [plain, notes] = [await archiver.get(job.id), await archiver.get(job.id, { frontMatter: true })];
    expect(notes.archiveId).not.toBe(plain.archiveId);
    const files = await unpack(await readBytes(archiver.objects(), notes));
    const { rows } = JSON.parse(String(files['Source/manifest.json']));
    const note = files[rows[0].output_file];
    expect(String(note)).toMatch(/^---\ntitle: "T: \\"x\\""(?:\n.*)*\n---\n\n# T\n/);
    expect(rows[0].sha256).toBe(
      createHash('sha256')
        .update(note as Buffer)
        .digest('hex'),
    );
    expect((await archiver.get(job.id)).archiveId).toBe(plain.archiveId);
  });

  it('are refused without md among the formats', async () => {
    const { job } = addJob([newRow(0)]);
    expect(await codeOf(archiver.get(job.id, { frontMatter: true }))).toBe('invalid_front_matter');
    const both = await archiver.get(job.id, { frontMatter: true, formats: ['srt', 'md'] });
    const files = await unpack(await readBytes(archiver.objects(), both));
    expect(String(files['Source/srt/transcripts/2026-01-15 - Title 0.srt'])).toMatch(/^1\n/);
    expect(String(files['Source/md/transcripts/2026-01-15 - Title 0.md'])).toMatch(/^---\n/);
  });
});
