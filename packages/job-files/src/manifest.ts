import { type ManifestEntry, type ManifestRow, manifestColumns, type TranscriptFormat } from '@tds/contracts';
import { publishedDay } from '@tds/transcript-format';
import { csvTable } from './csv.ts';
import { outputFiles } from './output-files.ts';

export type ManifestOptions = {
  readonly format: TranscriptFormat;
  /** SHA-256 (hex) of the delivered bytes by video id, where those are not the job's own files as they are stored. */
  readonly digests?: ReadonlyMap<string, string>;
  /** Put before every output file, such as `Source/`. */
  readonly root?: string;
};

const toEntry = (row: ManifestRow, file: string | null, sha256: string | null): ManifestEntry => ({
  position: row.position,
  video_id: row.video_id,
  title: row.title,
  published_date: publishedDay(row.published_at),
  status: row.status,
  requested_language: row.requested_language,
  delivered_language: row.delivered_language,
  fallback: row.fallback,
  translation: row.translation,
  language: row.delivered_language,
  track: row.caption_kind,
  caption_kind: row.caption_kind,
  attempts: row.attempts,
  credits_charged: row.credits_charged,
  strategy: row.strategy,
  output_file: file,
  sha256,
  error_class: row.error_class,
  error_code: row.error_code,
});

/** What the manifest of a job says of its rows, in the order of the job. */
export const manifestEntries = (
  rows: readonly ManifestRow[],
  { format, digests, root = '' }: ManifestOptions,
): ManifestEntry[] => {
  const files = outputFiles(rows, format);
  return rows
    .toSorted((a, b) => a.position - b.position)
    .map((row) => {
      const file = files.get(row.video_id);
      if (file === undefined) return toEntry(row, null, null);
      return toEntry(row, `${root}${file}`, digests ? (digests.get(row.video_id) ?? null) : row.sha256);
    });
};

const cell = (value: ManifestEntry[keyof ManifestEntry]) =>
  typeof value === 'boolean' ? String(value) : value;

/** Safe to open in a spreadsheet: text that would be a formula starts with an apostrophe. */
export const manifestCsv = (entries: readonly ManifestEntry[]): string =>
  csvTable(
    manifestColumns,
    entries.map((entry) => manifestColumns.map((column) => cell(entry[column]))),
  );

export type ManifestHead = {
  readonly job_id: string;
  readonly monitor_id: string | null;
  readonly name: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly status: string;
  readonly format: TranscriptFormat;
};

/** The manifest as a file. */
export const manifestJson = (head: ManifestHead, entries: readonly ManifestEntry[]): string => {
  const { job_id, monitor_id, name, metadata, status, format } = head;
  return `${JSON.stringify({ job_id, monitor_id, name, metadata, status, format, rows: entries }, null, 1)}\n`;
};
