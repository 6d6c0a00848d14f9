import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sha256 } from '../../test-support/jobs.ts';
import { setUpReads } from '../../test-support/reads.ts';

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

  it('has front matter on request, also in the addresses of its parts', async () => {
    const asked = haveArchive(2);
    const { body } = await get(`${path}?front_matter=true`);
    expect(body.parts[1].url).toContain('formats=srt&front_matter=true&archive_id=');
    await zipOf(get(body.parts[1].url));
    expect(asked).toMatchObject(Array(2).fill({ frontMatter: true }));
  });

  it('of several parts is an index with the addresses of the parts', async () => {
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
  ])('continues at a range: %s', async (range, start, end) => {
    haveArchive(1);
    const { status, headers, body } = await zipOf(get(path).set({ range }));
    expect(status).toBe(206);
    expect(body.equals(zips[0]?.subarray(start, end + 1))).toBe(true);
    expect(headers).toMatchObject({
      'content-range': `bytes ${start}-${end}/500000`,
      'content-length': String(end - start + 1),
    });
  });

  it('is whole if the range is of another one, and 416 if it begins after the end', async () => {
    haveArchive(1);
    const other = await zipOf(get(path).set({ range: 'bytes=5-9', 'if-range': '"another"' }));
    expect([other.status, other.body.length]).toEqual([200, 500_000]);
    const same = await zipOf(get(path).set({ range: 'bytes=5-9', 'if-range': other.headers.etag as string }));
    expect([same.status, same.body.length]).toEqual([206, 5]);
    const beyond = await get(path).set({ range: 'bytes=500000-' });
    expect([beyond.status, beyond.body.code]).toEqual([416, 'range_not_satisfiable']);
    expect(beyond.headers['content-range']).toBe('bytes */500000');
  });

  it('is described by HEAD, which reads nothing, builds nothing and ignores ranges', async () => {
    const asked = haveArchive(1);
    reads.harness.files.clear();
    const { status, headers } = await head(path).set({ range: 'bytes=5-9' });
    expect([status, headers['content-length']]).toEqual([200, '500000']);
    await head(`${path}?rebuild=1`);
    expect(asked).toMatchObject(Array(2).fill({ startsNothing: true, waitMs: 0 }));
    await get(path);
    expect(asked.at(-1)).toMatchObject({ startsNothing: false });
  });

  it('has its digest and expiry; an index has the bytes of all parts', async () => {
    haveArchive(1);
    const digest = Buffer.from(sha256(zips[0] as Buffer), 'hex').toString('base64');
    expect((await head(path)).headers).toMatchObject({
      'repr-digest': `sha-256=:${digest}:`,
      'x-archive-expires-at': '2026-01-22T00:00:00.000Z',
    });
    haveArchive(2);
    expect((await get(path)).body).toMatchObject({
      bytes: 500_011,
      expires_at: '2026-01-22T00:00:00.000Z',
    });
  });

  it.each([
    [{ 'if-none-match': 'same' }, 304],
    [{ 'if-none-match': '"a", same' }, 304],
    [{ 'if-none-match': 'W/same' }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"another"' }, 200],
    [{ 'if-match': 'same' }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': '"zz"' }, 412],
    [{ 'if-match': 'W/same' }, 412],
  ])('that the caller has or excludes is not sent: %j gets %i', async (conditions, expected) => {
    haveArchive(1);
    const etag = `"${sha256(zips[0] as Buffer)}"`;
    const headers = Object.entries(conditions).map(([name, value]) => [name, value.replace('same', etag)]);
    const answer = await get(path).set(Object.fromEntries(headers));
    expect(answer.status).toBe(expected);
    if (expected === 304) expect([answer.headers.etag, answer.text]).toEqual([etag, '']);
    if (expected === 412) expect(answer.body.code).toBe('precondition_failed');
  });

  it('that is lost or being built is answered so', async () => {
    haveArchive(1);
    reads.harness.files.clear();
    expect((await get(path)).body.code).toBe('archive_object_unavailable');
    reads.harness.archives.commands.getArchive = async () => ({ state: 'queued', archiveId: ids.archive });
    const { status, headers, body } = await get(path);
    expect([status, headers['retry-after'], body.status]).toEqual([202, '5', 'queued']);
  });

  it('is requested in several formats under either name, together or repeated', async () => {
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
  ])('%s is rejected', async (query, code) => {
    haveArchive(1);
    const { status, body } = await get(`${path}?${query}`);
    expect([status, body.code]).toEqual([400, code]);
  });
});
