import { isolate } from '@tds/contracts/isolated';
import type { LedgerRow } from '@transcript-delivery/sdk';

const columns: readonly (readonly [string, (row: LedgerRow) => string | number | null])[] = [
  ['id', ({ id }) => id],
  ['created_at', ({ created_at }) => created_at],
  ['kind', ({ kind }) => kind],
  ['amount', ({ amount }) => amount],
  ['balance_before', ({ balance }) => balance.before],
  ['balance_after', ({ balance }) => balance.after],
  ['free_after', ({ free }) => free.after],
  ['purchased_after', ({ purchased }) => purchased.after],
  ['reserved_after', ({ reserved }) => reserved.after],
  ['reason', ({ reason }) => reason],
  ['video_id', ({ video_id }) => video_id],
  ['job_id', ({ job_id }) => job_id],
  ['key_id', ({ key_id }) => key_id],
  ['request_id', ({ request_id }) => request_id],
  ['reference', ({ reference }) => reference],
  ['person_id', ({ person_id }) => person_id],
  ['via', ({ via }) => via],
];

/** A spreadsheet runs a text that begins like a formula, so it gets an apostrophe. Numbers and ids stay as they are. */
const cell = (value: string | number | null, column: string): string => {
  const isText = typeof value === 'string' && !column.endsWith('_id');
  const text = isText && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** RFC 4180 with the byte order mark that spreadsheets need, and the columns of the ledger. */
export const ledgerCsv = (rows: readonly LedgerRow[]): string => {
  const lines = rows.map((row) => columns.map(([name, read]) => cell(read(row), name)));
  const table = [columns.map(([name]) => name), ...lines];
  return `\ufeff${table.map((line) => `${line.join(',')}\r\n`).join('')}`;
};

type Kind = LedgerRow['kind'];
const kinds: Readonly<Record<Kind, string>> = {
  monthly_grant: 'Free credits of the month',
  grant: 'Credits added',
  delivery: 'Delivered',
  refund: 'Given back',
  expiry: 'Free credits expired',
  debt: 'Lent',
  debt_payment: 'Debt repaid',
  dispute: 'Disputed block taken back',
  purchase_refund: 'Block given back',
};

/** What an entry is about, in a few words; `name` is that of its video or job, if it is known. */
export const entryText = ({ kind, reason, rows, video_id, q }: LedgerRow, name?: string | null): string => {
  if (kind === 'delivery' && q) return `Search: ${isolate(q)}`;
  if (rows)
    return `${kinds[kind]}: ${rows} ${rows === 1 ? 'video' : 'videos'} of ${name ? isolate(name) : 'a job'}`;
  const about = name ?? video_id ?? q ?? reason;
  return about ? `${kinds[kind]}: ${isolate(about)}` : kinds[kind];
};
