import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import { type ManifestRow, serviceError, type TranscriptFormat } from '@tds/contracts';
import {
  inflatedFile,
  inGroups,
  isMadePerRow,
  languageOf,
  outputFiles,
  type StoredRow,
  type ZipEntry,
} from '@tds/job-files';
import type { Deps } from '../deps.ts';
import type { StoredFile } from './stored-files.ts';

const deflate = promisify(deflateRaw);

/** One file of an archive, before it is read. */
export type ArchiveFile = StoredRow &
  StoredFile & {
    /** In the archive. */
    readonly name: string;
    readonly format: TranscriptFormat;
  };

/** The files of a job in one format, in the order of the job. */
export const filesOf = (
  rows: readonly ManifestRow[],
  format: TranscriptFormat,
  root: string,
  stored: ReadonlyMap<string, StoredFile>,
): ArchiveFile[] => {
  const names = outputFiles(rows, format);
  return rows.flatMap((row) => {
    const [name, language] = [names.get(row.video_id), languageOf(row)];
    const file = stored.get(row.transcript_id ?? '');
    if (name === undefined || language === null || file === undefined) return [];
    return [{ ...file, name: `${root}${name}`, videoId: row.video_id, format, language }];
  });
};

/** The error of an attempt that found a file of the archive lost. */
export const lost = (objectKey: string) =>
  serviceError('archive_source_unavailable', { cause: `object ${objectKey} is lost` });

/** As it is stored, unless the bytes that are delivered for the row are others, or have to be seen to be packed. */
const entryOf = async (file: ArchiveFile, stored: Buffer): Promise<ZipEntry> => {
  const { name, format, bytes } = file;
  if (!isMadePerRow(format) && file.crc32 !== null) return { name, data: stored, bytes, crc32: file.crc32 };
  const made = await inflatedFile(format, file, stored);
  const data = isMadePerRow(format) ? await deflate(made) : stored;
  return { name, data, bytes: made.length, crc32: crc32(made) };
};

/**
 * The files as they are packed: as they are stored, but for those that differ by row. While some are packed, the next ones are
 * read.
 */
export async function* entriesOf(
  { objects }: Pick<Deps, 'objects'>,
  files: readonly ArchiveFile[],
): AsyncGenerator<ZipEntry> {
  const groups = [...inGroups(files)].values();
  const readNext = () => {
    const { value: group } = groups.next();
    if (!group) return null;
    const read = objects.getAll(group.map(({ objectKey }) => objectKey));
    // It is waited for in the next round, unless this one fails.
    read.catch(() => undefined);
    return { group, read };
  };
  for (let coming = readNext(); coming !== null; ) {
    const { group, read } = coming;
    const stored = await read;
    coming = readNext();
    for (const file of group) {
      const data = stored.get(file.objectKey);
      if (data === undefined) throw lost(file.objectKey);
      yield entryOf(file, data);
    }
  }
}
