import { createHash } from 'node:crypto';
import SevenZip from '7z-wasm';
import JSZip from 'jszip';
import { deflateEntry, type ZipEntry } from '../zip.ts';

/** Its types are those of an ES module, and Node takes it for what it is. */
const startSevenZip = SevenZip as unknown as typeof SevenZip.default;

export type Digests = Readonly<Record<string, string>>;

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Names strangers could have chosen, and contents from nothing to more than a reader's buffer. */
export const files: Readonly<Record<string, Buffer>> = {
  'Source/transcripts/2026-03-01 - A title.txt': Buffer.from('hello\n'.repeat(1_000)),
  'Source/transcripts/2026-03-01 - A title (2).txt': Buffer.from(''),
  'Source/transcripts/Привет 日本語 \u{1F600}.txt': Buffer.from('naïve'),
  'Source/transcripts/=HYPERLINK(_http___x_).txt': Buffer.from('x'),
  [`Source/transcripts/${'\u00e9'.repeat(60)}.txt`]: Buffer.alloc(3_000_000, 'long '),
};

export async function* toEntries(contents: Readonly<Record<string, Buffer>>): AsyncGenerator<ZipEntry> {
  for (const [name, file] of Object.entries(contents)) yield deflateEntry(name, file, '2026-03-01');
}

export const readAll = async (part: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of part) pieces.push(piece);
  return Buffer.concat(pieces);
};

/** What readers find: the digest of every file by its name. */
export const digestFiles = (contents: Readonly<Record<string, Buffer>>): Digests =>
  Object.fromEntries(Object.entries(contents).map(([name, file]) => [name, sha256(file)]));

export const readByJsZip = async (zip: Buffer): Promise<Digests> => {
  const { files: entries } = await JSZip.loadAsync(zip, { checkCRC32: true });
  const read = Object.values(entries).map(
    async (file) => [file.name, sha256(await file.async('uint8array'))] as const,
  );
  return Object.fromEntries(await Promise.all(read));
};

/** What 7-Zip unpacks, after it has tested it; throws what it complains about. */
export const readBySevenZip = async (zip: Buffer): Promise<Digests> => {
  const printed: string[] = [];
  const sevenZip = await startSevenZip({
    print: (line) => printed.push(line),
    printErr: (line) => printed.push(line),
  });
  sevenZip.FS.writeFile('archive.zip', zip);
  sevenZip.callMain(['t', 'archive.zip']);
  const text = printed.join('\n');
  if (!text.includes('Everything is Ok') || /warning|error/i.test(text)) throw new Error(text);
  sevenZip.callMain(['x', '-oout', 'archive.zip']);
  const walk = (folder: string): (readonly [string, string])[] =>
    sevenZip.FS.readdir(folder)
      .filter((name) => name !== '.' && name !== '..')
      .flatMap((name) => {
        const path = `${folder}/${name}`;
        const { mode } = sevenZip.FS.stat(path);
        return sevenZip.FS.isDir(mode)
          ? walk(path)
          : [[path.slice('out/'.length), sha256(sevenZip.FS.readFile(path))] as const];
      });
  return Object.fromEntries(walk('out'));
};
