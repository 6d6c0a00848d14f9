import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import JSZip from 'jszip';
import { digestFiles, files, readAll, readByJsZip, readBySevenZip, toEntries } from './test-support/zips.ts';
import { deflateEntry, type PartsOptions, zipParts } from './zip.ts';

const partsOf = async (options: PartsOptions): Promise<Buffer[]> => {
  const parts: Buffer[] = [];
  for await (const part of zipParts(options)) parts.push(await readAll(part));
  return parts;
};
const whole = async (contents: Readonly<Record<string, Buffer>>): Promise<Buffer> =>
  Buffer.concat(await partsOf({ head: [], files: toEntries(contents) }));

const manifest = Buffer.from('{"rows":[]}');
const head = [deflateEntry('Source/manifest.json', manifest, '2026-03-01')];
/** Cannot be compressed, so that sizes are known. */
const random = (count: number, bytes: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`Source/${n}.bin`, randomBytes(bytes)]));

describe('a ZIP', () => {
  it.each([
    ['JSZip', readByJsZip],
    ['7-Zip', readBySevenZip],
  ])('is read by %s as it was written, names and all', async (_, read) => {
    expect(await read(await whole(files))).toEqual(digestFiles(files));
  });

  it('is the same bytes whenever it is made', async () => {
    expect((await whole(files)).equals(await whole(files))).toBe(true);
  });

  it.each([
    ['2026-03-01', '2026-03-01'],
    ['1969-07-20', '1980-01-01'],
    ['2200-01-01', '2107-12-31'],
  ])('shows a file of %s as changed on %s', async (day, shown) => {
    const files = async function* () {
      yield deflateEntry('a.txt', Buffer.from('a'), day);
    };
    const { files: found } = await JSZip.loadAsync(Buffer.concat(await partsOf({ head: [], files: files() })));
    expect(found['a.txt']?.date.toISOString().slice(0, 10)).toBe(shown);
  });

  it('that is damaged anywhere is not what it was to its readers', async () => {
    const zip = await whole({ 'a.txt': Buffer.from('some text that is long enough to be compressed') });
    zip[40] = (zip[40] ?? 0) ^ 0xff;
    await expect(readBySevenZip(zip)).rejects.toThrow();
  });
});

describe('the parts of an archive', () => {
  it('are one, with the head alone, if there is no file', async () => {
    const parts = await partsOf({ head, files: toEntries({}) });
    expect(parts).toHaveLength(1);
    expect(await readByJsZip(parts[0] as Buffer)).toEqual(digestFiles({ 'Source/manifest.json': manifest }));
  });

  it('stay below the limit, each as full as its next file lets it be, and all begin with the head', async () => {
    const limitBytes = 100_000;
    const contents = random(50, 9_000);
    const parts = await partsOf({ head, files: toEntries(contents), limitBytes });
    expect(parts.every((part) => part.length < limitBytes)).toBe(true);
    expect(parts.slice(0, -1).every((part) => part.length > limitBytes - 2 * 9_300)).toBe(true);
    const read = await Promise.all(parts.map(readBySevenZip));
    for (const part of read) expect(part).toMatchObject(digestFiles({ 'Source/manifest.json': manifest }));
    expect(Object.assign({}, ...read)).toEqual(digestFiles({ 'Source/manifest.json': manifest, ...contents }));
  });

  it('a ZIP of exactly the limit would be too large, one byte less is not', async () => {
    const contents = random(2, 5_000);
    const { length } = Buffer.concat(await partsOf({ head, files: toEntries(contents) }));
    const countOf = async (limitBytes: number) =>
      (await partsOf({ head, files: toEntries(contents), limitBytes })).length;
    expect([await countOf(length), await countOf(length + 1)]).toEqual([2, 1]);
  });

  it('a file that is larger than a part has one of its own', async () => {
    const parts = await partsOf({ head: [], files: toEntries(random(3, 50_000)), limitBytes: 10_000 });
    expect(parts).toHaveLength(3);
  });

  it('take their files one by one, and leave the source when their reader leaves', async () => {
    let taken = 0;
    let isLeft = false;
    const source = async function* () {
      try {
        for (; ; taken += 1) yield deflateEntry(`${taken}`, randomBytes(1_000), '2026-03-01');
      } finally {
        isLeft = true;
      }
    };
    let parts = 0;
    for await (const part of zipParts({ head: [], files: source(), limitBytes: 20_000 })) {
      for await (const _ of part) expect(taken).toBeLessThan(20 * (parts + 1));
      parts += 1;
      if (parts === 3) break;
    }
    expect(isLeft).toBe(true);
  });
});
