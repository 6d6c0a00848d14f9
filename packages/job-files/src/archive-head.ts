import { Buffer } from 'node:buffer';
import type { JobSummary, ManifestRow, TranscriptFormat } from '@tds/contracts';
import { parsePlatformAddress } from '@tds/platform-addresses';
import { publishedDay, safeFileTitle } from '@tds/transcript-format';
import { type FormatRows, indexPage } from './index-page.ts';
import { type ManifestHead, manifestCsv, manifestEntries, manifestJson } from './manifest.ts';
import { deflateEntry, type ZipEntry } from './zip.ts';

type Job = Pick<
  JobSummary,
  'id' | 'monitor_id' | 'name' | 'metadata' | 'omitted' | 'status' | 'source' | 'created_at'
>;

/** The specification's name of the folder, for sources without a name. */
const SOURCE = 'Source';

const sourceName = ({ name, source }: Job, rows: readonly ManifestRow[]): string | null => {
  if (name !== null) return name;
  if (source.kind === 'channel') return rows.find((row) => row.channel_title)?.channel_title ?? null;
  const address = parsePlatformAddress(source.input ?? '');
  return address?.kind === 'playlist' ? address.id : null;
};

/** The heading of a document of all its transcripts. */
export const documentTitle = (job: Job, rows: readonly ManifestRow[]): string =>
  sourceName(job, rows) ?? 'Transcripts';

/** The folder of an archive, named after its job, channel or playlist, and ending with `/`. */
export const archiveFolder = (job: Job, rows: readonly ManifestRow[]): string =>
  `${safeFileTitle(sourceName(job, rows), SOURCE)}/`;

/** The folder of one format; the archive's own if it has only one format. */
export const formatRoot = (
  folder: string,
  format: TranscriptFormat,
  formats: readonly TranscriptFormat[],
): string => (formats.length === 1 ? folder : `${folder}${format}/`);

/** The day of a video's file: of its publication, or of the job if that is unknown. */
export const fileDay = (
  { created_at }: Pick<Job, 'created_at'>,
  { published_at }: Pick<ManifestRow, 'published_at'>,
): string => publishedDay(published_at) ?? publishedDay(created_at) ?? '';

/** A format of an archive: its folder, and the digests of its delivered files by video id. */
export type ArchiveFormat = {
  readonly format: TranscriptFormat;
  readonly root: string;
  readonly digests: ReadonlyMap<string, string>;
};

/** The first files of every part: a page to read the archive by, and both manifests of each format. */
export const archiveHead = (
  { job, rows }: { readonly job: Job; readonly rows: readonly ManifestRow[] },
  folder: string,
  formats: readonly ArchiveFormat[],
): ZipEntry[] => {
  const formatRows = formats.map((options) => ({ ...options, entries: manifestEntries(rows, options) }));
  const day = fileDay(job, { published_at: null });
  const page = indexPage(folder, formatRows, job.omitted);
  return [
    deflateEntry(`${folder}index.html`, Buffer.from(page), day),
    ...formatRows.flatMap(({ format, root, entries }) => manifestFiles(job, { format, root, entries }, day)),
  ];
};

const manifestFiles = (
  { id: job_id, monitor_id, name, metadata, omitted, status }: Job,
  { format, root, entries }: FormatRows & { readonly root: string },
  day: string,
): ZipEntry[] => {
  const head: ManifestHead = { job_id, monitor_id, name, metadata, omitted, status, format };
  return [
    deflateEntry(`${root}manifest.json`, Buffer.from(manifestJson(head, entries)), day),
    deflateEntry(`${root}manifest.csv`, Buffer.from(manifestCsv(entries, omitted)), day),
  ];
};
