import { type Meta, Transcripts, type TranscriptsOptions } from '@transcript-delivery/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { proxiedFetch } from './proxy.ts';
import { readSettings } from './settings.ts';

type Output = { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };

/** What the command line touches, so that tests can give their own. */
export type Io = {
  readonly stdin: AsyncIterable<string | Uint8Array> & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly fetch?: TranscriptsOptions['fetch'];
};

/** A setting that no request can be made with. */
export class WrongSetting extends Error {}

/** No key is known: the command ends like a refused one. */
export class NotSignedIn extends Error {}

/** What a command works with. */
export class Context {
  readonly io: Io;
  readonly #program: Command;

  constructor(io: Io, program: Command) {
    this.io = io;
    this.#program = program;
  }

  get isJson(): boolean {
    return this.#program.opts<{ json?: boolean }>().json === true;
  }

  get signal(): AbortSignal {
    return this.io.signal;
  }

  client(overrides: { apiKey?: string | undefined; baseUrl?: string | undefined } = {}): Transcripts {
    const { env, fetch } = this.io;
    const settings = readSettings(env);
    const apiKey = overrides.apiKey ?? env.TRANSCRIPTS_API_KEY ?? settings.apiKey;
    const baseUrl = overrides.baseUrl ?? env.TRANSCRIPTS_BASE_URL ?? settings.baseUrl;
    if (!apiKey) throw new NotSignedIn('There is no key: run "transcripts login", or set TRANSCRIPTS_API_KEY.');
    if (!baseUrl)
      throw new NotSignedIn(
        'There is no address: run "transcripts login --base-url", or set TRANSCRIPTS_BASE_URL.',
      );
    try {
      return new Transcripts({ apiKey, baseUrl, fetch: fetch ?? proxiedFetch(env) });
    } catch (error) {
      throw new WrongSetting(error instanceof Error ? error.message : String(error));
    }
  }

  /** One JSON value with --json, else text. */
  print(value: unknown, text: string): void {
    this.io.stdout.write(`${this.isJson ? printableJson(value) : printable(text)}\n`);
  }

  /**
   * Rows of a list. At a terminal they have heads and the times of this machine, or there are words if there is none; programs get them as they
   * always did.
   */
  printRows(value: unknown, heads: readonly string[], rows: readonly Cells[]): void {
    const isForPeople = !this.isJson && this.io.stdout.isTTY === true;
    const shown = isForPeople ? [heads, ...rows.map((row) => row.map(toLocalTime))] : rows;
    this.print(value, isForPeople && rows.length === 0 ? 'There is none.' : table(shown));
  }

  /** For people, beside the output. */
  note(text: string): void {
    this.io.stderr.write(`${printable(text)}\n`);
  }

  /** What a request cost, for people at a terminal; with --json the value says it. */
  noteCost({ charged, balance }: Meta): void {
    if (this.isJson || this.io.stderr.isTTY !== true || charged === null) return;
    const cost = charged === 1 ? '1 credit' : `${charged} credits`;
    this.note(balance === null ? `${cost} charged` : `${cost} charged, ${balance} left`);
  }
}

/** What a terminal obeys, and what turns or hides the text beside it: controls, bidi controls, separators and tags. */
const CONTROLS = /[^\P{Cc}\n\t]|\p{Bidi_Control}|[\u2028\u2029]|[\u{E0000}-\u{E007F}]/gu;

/** Titles and names come from strangers. */
export const printable = (text: string): string => text.replaceAll(CONTROLS, '');

const escaped = (text: string): string =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** The same value for programs: what `printable` drops is escaped. */
export const printableJson = (value: unknown): string => JSON.stringify(value).replaceAll(CONTROLS, escaped);

type Cell = string | number | null | undefined;
export type Cells = readonly Cell[];

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
/** `2026-11-30 02:50` */
const localTime = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
const toLocalTime = (cell: Cell): Cell =>
  typeof cell === 'string' && INSTANT.test(cell) ? localTime.format(new Date(cell)) : cell;

/** Lines whose cells stand below each other. The last cell may be of any length. */
export const table = (rows: readonly Cells[]): string => {
  const cells = rows.map((row) => row.map((cell) => String(cell ?? '-').replaceAll(/\s+/g, ' ')));
  const widths = (cells[0] ?? []).map((_cell, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  return cells
    .map((row) =>
      row.map((cell, column) => cell.padEnd(column === row.length - 1 ? 0 : (widths[column] ?? 0))).join('  '),
    )
    .join('\n');
};

/** An option that is a whole number from 0 on. */
export const wholeNumber = (text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a whole number.');
};

export const second = (text: string): number => {
  if (/^\d{1,7}(?:\.\d{1,3})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give seconds, such as 61.5.');
};

type ReadPage = {
  readonly total?: number | null;
  readonly omitted?: number;
  readonly is_complete?: boolean;
  readonly index?: { readonly indexed: number; readonly transcripts: number };
};

/** What a list lacks that was shown so far, in sentences. */
const lacks = (
  { total, omitted = 0, is_complete: isComplete = true, index }: ReadPage,
  shown: number,
): string[] => [
  ...(shown < (total ?? 0) ? [`Shown: ${shown} of ${total}. --limit shows more.`] : []),
  ...(omitted > 0 ? [`Not complete: ${omitted} entries of the list cannot be read as videos.`] : []),
  ...(isComplete ? [] : [`Not complete: ${toReason(index)}.`]),
];

const toReason = (index: ReadPage['index']): string =>
  index && index.indexed < index.transcripts
    ? `${index.indexed} of ${index.transcripts} transcripts can be searched so far`
    : 'there are more passages than one search finds; name more words, or a job';

/** All rows, or the first `limit`. Notes what is not among them. */
export const collect = async <Row>(
  context: Pick<Context, 'note'>,
  rows: AsyncIterable<Row> & { readonly last?: object | null },
  limit: number = Number.POSITIVE_INFINITY,
): Promise<Row[]> => {
  const items: Row[] = [];
  if (limit > 0)
    for await (const row of rows) {
      items.push(row);
      if (items.length >= limit) break;
    }
  for (const lack of rows.last ? lacks(rows.last, items.length) : []) context.note(lack);
  return items;
};
