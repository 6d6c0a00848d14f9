import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../test-support/jobs.ts';
import { setUpReads } from '../test-support/reads.ts';

const reads = setUpReads();
const { get, head } = reads;

describe('an archive', () => {
  const zips = [Buffer.from('first part'.repeat(50_000)), Buffer.from('second part')];
  const ids = { archive: randomUUID(), job: randomUUID() };
  const path = `/v1/jobs/${ids.job}/archive`;
  const haveArchive = (count: number) => {
    const parts = zips.slice(0, count).map((zip, n) => {
      const objectKey = `archives/${ids.archive}/${n + 1}.zip`;
      reads.harness.files.set(objectKey, zip);
      return { part: n + 1, objectKey, bytes: zip.length, sha256: sha256(zip) };
    });
    const asked: unknown[] = [];
    reads.harness.archives.commands.getArchive = async (request) => {
      asked.push(request);
      const expiresAt = '2026-01-22T00:00:00.000Z';
      return { state: 'ready', archiveId: ids.archive, formats: ['srt'], parts, expiresAt };
    };
    return asked;
  };
  const zipOf = (asked: ReturnType<typeof get>) =>
    asked.buffer(true).parse((response, done) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => done(null, Buffer.concat(pieces)));
    });

  it('of one part is that ZIP, streamed', async () => {
    haveArchive(1);
    const { status, headers, body } = await zipOf(get(path));
    expect(status).toBe(200);
    expect(body.equals(zips[0])).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(zips[0]?.length),
      'content-disposition': `attachment; filename="job_${ids.job}.zip"`,
      'accept-ranges': 'bytes',
      etag: `"${sha256(zips[0] as Buffer)}"`,
      'x-cache': 'HIT',
    });
  });

  it('of several is an index, whose addresses lead to the parts', async () => {
    haveArchive(2);
    const { body } = await get(path);
    expect(body).toMatchObject({
      status: 'ready',
      archive_id: ids.archive,
      parts: [{ part: 1 }, { part: 2 }],
    });
    const second = await zipOf(get(body.parts[1].url));
    expect(second.body.equals(zips[1])).toBe(true);
    expect((await get(`${path}?part=3`)).body.code).toBe('archive_part_not_found');
    const other = `${path}?part=1&archive_id=${randomUUID()}`;
    expect((await get(other)).body.code).toBe('archive_source_changed');
  });

  it.each([
    ['bytes=5-9', 5, 9],
    ['bytes=499995-', 499_995, 499_999],
    ['bytes=-3', 499_997, 499_999],
  ])('goes on at a range: %s', async (range, start, end) => {
    haveArchive(1);
    const { status, headers, body } = await zipOf(get(path).set({ range }));
    expect(status).toBe(206);
    expect(body.equals(zips[0]?.subarray(start, end + 1))).toBe(true);
    expect(headers).toMatchObject({
      'content-range': `bytes ${start}-${end}/500000`,
      'content-length': String(end - start + 1),
    });
  });

  it('is whole where the range is of another one, and 416 where it begins behind the end', async () => {
    haveArchive(1);
    const other = await zipOf(get(path).set({ range: 'bytes=5-9', 'if-range': '"another"' }));
    expect([other.status, other.body.length]).toEqual([200, 500_000]);
    const same = await zipOf(get(path).set({ range: 'bytes=5-9', 'if-range': other.headers.etag as string }));
    expect([same.status, same.body.length]).toEqual([206, 5]);
    const beyond = await get(path).set({ range: 'bytes=500000-' });
    expect([beyond.status, beyond.body.code]).toEqual([416, 'range_not_satisfiable']);
    expect(beyond.headers['content-range']).toBe('bytes */500000');
  });

  it('is described by HEAD, which reads nothing', async () => {
    haveArchive(1);
    reads.harness.files.clear();
    const { status, headers } = await head(path);
    expect([status, headers['content-length']]).toEqual([200, '500000']);
  });

  it('that is lost, or being built, is told', async () => {
    haveArchive(1);
    reads.harness.files.clear();
    expect((await get(path)).body.code).toBe('archive_object_unavailable');
    reads.harness.archives.commands.getArchive = async () => ({ state: 'queued', archiveId: ids.archive });
    const { status, headers, body } = await get(path);
    expect([status, headers['retry-after'], body.status]).toEqual([202, '5', 'queued']);
  });

  it('is asked for in several formats under either name, together or repeated', async () => {
    const asked = haveArchive(1);
    for (const query of ['format=srt,vtt', 'formats=srt,vtt', 'format=srt&format=vtt'])
      await get(`${path}?${query}`);
    await get(`${path}?rebuild=1`);
    expect(asked).toMatchObject([
      ...Array(3).fill({ formats: ['srt', 'vtt'], rebuild: false }),
      { formats: [], rebuild: true },
    ]);
  });

  it.each([
    ['format=srt&formats=vtt', 'duplicate_archive_formats'],
    ['format=srt,srt', 'duplicate_archive_formats'],
    ['format=zip', 'invalid_archive_format'],
    ['format=', 'invalid_archive_format'],
    ['format=srt,', 'invalid_archive_format'],
    ['part=0', 'invalid_archive_part'],
    ['part=1e1', 'invalid_archive_part'],
    ['part=1&part=2', 'invalid_archive_part'],
    ['rebuild=yes', 'invalid_rebuild'],
  ])('%s is refused', async (query, code) => {
    haveArchive(1);
    const { status, body } = await get(`${path}?${query}`);
    expect([status, body.code]).toEqual([400, code]);
  });
});
