export type Cell = string | number | null;

/** What spreadsheets would run as a formula, in any of the first characters that they skip or read. */
const formula = /^[=+\-@\t\r\0]/;
const needsQuotes = /[",\r\n\t\0]/;

const toCell = (value: Cell): string => {
  if (value === null) return '';
  const text = typeof value === 'string' && formula.test(value) ? `'${value}` : String(value);
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A table as RFC 4180 wants it: a header, lines that end in CRLF, and no text that a spreadsheet takes for a formula. */
export const csvTable = (header: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [header, ...rows].map((row) => `${row.map(toCell).join(',')}\r\n`).join('');
