import {
  type LanguageDelivery,
  type ManifestEntry,
  type ManifestRow,
  manifestColumns,
  type TranscriptFormat,
} from '@tds/contracts';
import { videoUrl } from '@tds/platform-addresses';
import { fileExtensions, fileStem, publishedDay } from '@tds/transcript-format';
import { omittedText } from './document.ts';

type Cell = string | number | null;

/** Text that spreadsheets would run as a formula. */
const formula = /^[=+\-@\t\r\0]/;
const needsQuotes = /[",\r\n\t\0]/;

const quote = (text: string): string => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Ids stay as they are, so that they can be looked up: those of videos may begin with `-`. */
const toCell = (value: Cell, column: string): string => {
  if (value === null) return '';
  const isText = typeof value === 'string' && !column.endsWith('_id');
  return quote(isText && formula.test(value) ? `'${value}` : String(value));
};

/** Without it spreadsheets take UTF-8 for the encoding of their country. */
const BYTE_ORDER_MARK = '\ufeff';

/** A last line that says what a table lacks, with as many cells as all others. */
const toLackLine = (header: readonly string[], lack: string): readonly Cell[] =>
  header.map((_, index) => (index === 0 ? `NOT COMPLETE: ${lack}` : null));

/**
 * A table in RFC 4180: a header, lines that end in CRLF, and no text that a spreadsheet would run as a formula. What it lacks is its last line;
 * empty if that is nothing.
 */
export const csvTable = (header: readonly string[], rows: readonly (readonly Cell[])[], lack = ''): string => {
  const all = lack === '' ? rows : [...rows, toLackLine(header, lack)];
  const lines = all.map((row) => row.map((value, index) => toCell(value, header[index] ?? '')));
  return BYTE_ORDER_MARK + [header, ...lines].map((line) => `${line.join(',')}\r\n`).join('');
};

/** The delivery of a row; null if there was none. */
export const languageOf = (row: ManifestRow): LanguageDelivery | null => {
  const { delivered_language: delivered, caption_kind: kind, fallback, translation } = row;
  if (row.object_key === null || delivered === null || kind === null) return null;
  if (fallback === null || translation === null) return null;
  return { requested: row.requested_language, delivered, kind, fallback, translation };
};

/** File systems of Windows and macOS ignore case and the composition of accents. */
const foldName = (name: string): string => name.normalize('NFC').toUpperCase().toLowerCase();

/** Makes names unique: the first one stays, later ones get ` (2)`, ` (3)` and so on. */
const createNames = () => {
  const usedNames = new Set<string>();
  /** The last number tried per name, so that thousands of equal titles take no longer than different ones. */
  const next = new Map<string, number>();
  return (stem: string): string => {
    const key = foldName(stem);
    let number = next.get(key) ?? 1;
    let name = stem;
    for (; usedNames.has(foldName(name)); name = `${stem} (${number})`) number += 1;
    usedNames.add(foldName(name));
    next.set(key, number);
    return name;
  };
};

/**
 * The paths of a job's files by video id: `transcripts/YYYY-MM-DD - Title.ext` for every delivered row; equal names get ` (2)` and so on in
 * the order of the rows. Safe on Linux, macOS and Windows for any title.
 */
export const outputFiles = (
  rows: readonly ManifestRow[],
  format: TranscriptFormat,
): ReadonlyMap<string, string> => {
  const nameFor = createNames();
  const sortedRows = rows.filter((row) => languageOf(row) !== null).toSorted((a, b) => a.position - b.position);
  return new Map(
    sortedRows.map(({ video_id: id, title, published_at }) => {
      const stem = fileStem({ id, title, published_at });
      return [id, `transcripts/${nameFor(stem)}.${fileExtensions[format]}`];
    }),
  );
};

export type ManifestOptions = {
  readonly format: TranscriptFormat;
  /** SHA-256 (hex) of the delivered bytes by video id, if these differ from the stored files. */
  readonly digests?: ReadonlyMap<string, string>;
  /** The prefix of every output file, such as `Source/`. */
  readonly root?: string;
};

const toEntry = (row: ManifestRow, file: string | null, sha256: string | null): ManifestEntry => {
  const entry: ManifestEntry = {
    ...row,
    published_date: publishedDay(row.published_at),
    language: row.delivered_language,
    track: row.caption_kind,
    output_file: file,
    sha256,
    url: videoUrl(row.video_id),
  };
  // While an upgrade rolls, rows may lack a new field.
  const fields = manifestColumns.map((column) => [column, entry[column] ?? null]);
  return Object.fromEntries(fields);
};

/** The manifest's entries of a job's rows, in their order. */
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

/** Safe in a spreadsheet: text that would be a formula starts with an apostrophe. A source that was not read whole is its last line. */
export const manifestCsv = (entries: readonly ManifestEntry[], omitted = 0): string =>
  csvTable(
    manifestColumns,
    entries.map((entry) => manifestColumns.map((column) => cell(entry[column]))),
    omitted > 0 ? omittedText(omitted) : '',
  );

export type ManifestHead = {
  readonly job_id: string;
  readonly monitor_id: string | null;
  readonly name: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly omitted?: number | undefined;
  readonly status: string;
  readonly format: TranscriptFormat;
};

export const manifestJson = (head: ManifestHead, entries: readonly ManifestEntry[]): string => {
  const { job_id, monitor_id, name, metadata, omitted = 0, status, format } = head;
  return `${JSON.stringify({ job_id, monitor_id, name, metadata, omitted, status, format, rows: entries }, null, 1)}\n`;
};
