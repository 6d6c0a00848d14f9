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

/** Lines whose cells stand below each other. The last cell may be of any length. */
export const table = (rows: readonly (readonly (string | number | null | undefined)[])[]): string => {
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

/** All rows, or the first `limit`. */
export const collect = async <Row>(
  rows: AsyncIterable<Row>,
  limit: number = Number.POSITIVE_INFINITY,
): Promise<Row[]> => {
  const items: Row[] = [];
  if (limit > 0)
    for await (const row of rows) {
      items.push(row);
      if (items.length >= limit) break;
    }
  return items;
};
