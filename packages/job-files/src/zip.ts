import { Buffer } from 'node:buffer';
import { crc32, deflateRawSync } from 'node:zlib';

/** A compressed file for a ZIP. */
export type ZipEntry = {
  /** Relative, with `/`. */
  readonly name: string;
  /** Raw deflated (RFC 1951). */
  readonly data: Uint8Array;
  /** Of the uncompressed file. */
  readonly bytes: number;
  readonly crc32: number;
  /** `YYYY-MM-DD`, shown as the day of its last change. */
  readonly day: string;
};

export const deflateEntry = (name: string, file: Buffer, day: string): ZipEntry => ({
  name,
  day,
  data: deflateRawSync(file),
  bytes: file.length,
  crc32: crc32(file),
});

// The layout of APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16.
const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
/** 2.0: deflate and folders. */
const NEEDED_VERSION = 20;
const MADE_ON_UNIX = 3 << 8;
const NAMES_ARE_UTF8 = 0x0800;
const DEFLATED = 8;
const FIRST_YEAR = 1980;
const LAST_YEAR = 2107;
/** rw-r--r-- of a regular file. */
const ATTRIBUTES = 0o100644 * 0x1_0000;
const MAX_ENTRIES = 0xffff;

type Placed = ZipEntry & { readonly nameBytes: Buffer; readonly offset: number };

/** A day as MS-DOS writes it. Days beyond its years become the nearest that it has. */
const toDosDay = (day: string): number => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  if (year < FIRST_YEAR) return toDosDay(`${FIRST_YEAR}-01-01`);
  if (year > LAST_YEAR) return toDosDay(`${LAST_YEAR}-12-31`);
  return ((year - FIRST_YEAR) << 9) | (month << 5) | date;
};

const integers = (width: number, values: readonly number[]): Buffer => {
  const buffer = Buffer.alloc(width * values.length);
  for (const [index, value] of values.entries()) buffer.writeUIntLE(value, index * width, width);
  return buffer;
};
const two = (...values: number[]): Buffer => integers(2, values);
const four = (...values: number[]): Buffer => integers(4, values);

/** The common part of both headers of a file, from the needed version to the length of the extra field. */
const commonFields = ({ data, bytes, crc32: crc, day, nameBytes }: Placed): Buffer[] => [
  two(NEEDED_VERSION, NAMES_ARE_UTF8, DEFLATED, 0, toDosDay(day)),
  four(crc, data.length, bytes),
  two(nameBytes.length, 0),
];

const localHeader = (file: Placed): Buffer =>
  Buffer.concat([four(LOCAL_HEADER), ...commonFields(file), file.nameBytes]);

const centralHeader = (file: Placed): Buffer => {
  const head = [four(CENTRAL_HEADER), two(MADE_ON_UNIX + NEEDED_VERSION), ...commonFields(file)];
  return Buffer.concat([...head, two(0, 0, 0), four(ATTRIBUTES, file.offset), file.nameBytes]);
};

const endOfDirectory = (files: number, bytes: number, offset: number): Buffer =>
  Buffer.concat([four(END_OF_DIRECTORY), two(0, 0, files, files), four(bytes, offset), two(0)]);

/**
 * Writes a ZIP file by file and keeps only headers in memory. No ZIP64: callers stay below 4 GiB and 65,536 files.
 */
const createZipWriter = () => {
  const directory: Buffer[] = [];
  let offset = 0;
  let directoryBytes = 0;
  return {
    /** The size of the whole ZIP with this file. */
    bytesWith: ({ name, data }: ZipEntry): number => {
      const headers = LOCAL_BYTES + CENTRAL_BYTES + 2 * Buffer.byteLength(name);
      return offset + data.length + directoryBytes + headers + END_BYTES;
    },
    add: (entry: ZipEntry): readonly Uint8Array[] => {
      if (directory.length === MAX_ENTRIES) throw new RangeError('a ZIP holds at most 65,535 files');
      const file = { ...entry, nameBytes: Buffer.from(entry.name), offset };
      const header = localHeader(file);
      directory.push(centralHeader(file));
      offset += header.length + entry.data.length;
      directoryBytes += CENTRAL_BYTES + file.nameBytes.length;
      return [header, entry.data];
    },
    end: (): Buffer => {
      const end = endOfDirectory(directory.length, directoryBytes, offset);
      return Buffer.concat([...directory, end]);
    },
  };
};

const MEBIBYTE = 1024 * 1024;

/** A part of an archive has fewer bytes than this (specification, part 8). */
export const MAX_PART_BYTES = 80 * MEBIBYTE;

export type PartsOptions = {
  /** The first files of every part. */
  readonly head: readonly ZipEntry[];
  readonly files: AsyncIterable<ZipEntry>;
  /** Every part is smaller than this, unless it has a single larger file. */
  readonly limitBytes?: number;
};

/**
 * ZIPs of all files in their order, each below the size limit; one ZIP with the head alone if there is no file. Read each to its end before
 * you ask for the next. Only the current file is in memory.
 */
export async function* zipParts({
  head,
  files,
  limitBytes = MAX_PART_BYTES,
}: PartsOptions): AsyncGenerator<AsyncGenerator<Uint8Array>> {
  const source = files[Symbol.asyncIterator]();
  let next = await source.next();
  async function* part(): AsyncGenerator<Uint8Array> {
    const zip = createZipWriter();
    for (const entry of head) yield* zip.add(entry);
    for (let isFirst = true; !next.done; isFirst = false) {
      if (!isFirst && zip.bytesWith(next.value) >= limitBytes) break;
      yield* zip.add(next.value);
      next = await source.next();
    }
    yield zip.end();
  }
  try {
    do yield part();
    while (!next.done);
  } finally {
    await source.return?.();
  }
}
