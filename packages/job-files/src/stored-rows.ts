import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { LanguageDelivery, ManifestRow, TranscriptFormat } from '@tds/contracts';
import { markdownFor, type NotedVideo, withFrontMatter } from '@tds/transcript-format';

/** True if a file contains the requested language, so that it differs by row although its track is stored once. */
export const isMadePerRow = (format: TranscriptFormat): boolean => format === 'md';

/** The video of a row, for front matter. */
export const toNote = ({
  video_id: id,
  title,
  channel_title,
  published_at,
  duration,
}: ManifestRow): NotedVideo => ({
  ...{ id, title, channel_title, published_at, duration },
});

/** The delivered bytes of a row, from the stored file of its track. */
export const buildDeliveredFile = (
  format: TranscriptFormat,
  stored: Buffer,
  { language, note }: Pick<DeliveredFile, 'language' | 'note'>,
): Buffer => {
  if (!isMadePerRow(format)) return stored;
  const file = markdownFor(stored.toString(), language);
  return Buffer.from(note ? withFrontMatter(file, note, language) : file);
};

const inflate = promisify(inflateRaw);

/** Uncompressed bytes and files of one read. */
const GROUP_BYTES = 4 * 1024 * 1024;
const GROUP_FILES = 100;

const digestOf = (file: Buffer): string => createHash('sha256').update(file).digest('hex');

/** A delivered row's file in the object store. It is stored raw-deflated; the numbers are of the inflated file. */
export type DeliveredFile = {
  readonly videoId: string;
  readonly language: LanguageDelivery;
  readonly objectKey: string;
  readonly bytes: number;
  readonly sha256: string;
  /** For the front matter of a file in md; without it, it has none. */
  readonly note?: NotedVideo | undefined;
};

/** Groups rows so that the files of a group fit into bounded memory. A larger file is a group of its own. */
export function* toGroups<Row extends { readonly bytes: number }>(rows: readonly Row[]): Generator<Row[]> {
  let group: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (group.length === GROUP_FILES || (group.length > 0 && bytes + row.bytes > GROUP_BYTES)) {
      yield group;
      [group, bytes] = [[], 0];
    }
    group.push(row);
    bytes += row.bytes;
  }
  if (group.length > 0) yield group;
}

/** The delivered bytes of a row. Throws if the stored file is not the row's. */
export const inflateFile = async (
  format: TranscriptFormat,
  { bytes, sha256, ...delivered }: Pick<DeliveredFile, 'bytes' | 'sha256' | 'language' | 'note'>,
  stored: Buffer,
): Promise<Buffer> => {
  const file = await inflate(stored, { maxOutputLength: Math.max(1, bytes) });
  if (digestOf(file) !== sha256) throw new Error('the stored file is not the one that was delivered');
  return buildDeliveredFile(format, file, delivered);
};

export type ReadAll = (keys: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>;

/** SHA-256 (hex) of the delivered bytes by video id. A row whose file is lost or replaced has none. */
export const computeDigests = async (
  format: TranscriptFormat,
  rows: readonly DeliveredFile[],
  readAll: ReadAll,
): Promise<ReadonlyMap<string, string>> => {
  if (!isMadePerRow(format)) return new Map(rows.map(({ videoId, sha256 }) => [videoId, sha256]));
  const digests = new Map<string, string>();
  for (const group of toGroups(rows)) {
    const stored = await readAll(group.map(({ objectKey }) => objectKey));
    for (const row of group) {
      const content = stored.get(row.objectKey);
      if (content === undefined) continue;
      // A reader of the file itself gets the error.
      const file = await inflateFile(format, row, content).catch(() => null);
      if (file !== null) digests.set(row.videoId, digestOf(file));
    }
  }
  return digests;
};
