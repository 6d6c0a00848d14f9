import type { LibraryIndex } from '@tds/contracts';
import { csvTable } from '@tds/job-files';
import { ZodArray, ZodObject } from 'zod';

type Path = readonly string[];

/** A column for each field; what is an object in a row, or a list of objects, has one for each of its fields. */
const listColumns = (schema: unknown, path: Path = []): readonly Path[] => {
  const fields = schema instanceof ZodArray ? schema.element : schema;
  return fields instanceof ZodObject
    ? Object.entries(fields.shape).flatMap(([name, field]) => listColumns(field, [...path, name]))
    : [path];
};

/** A row with a list has a line for each of its items. */
const toLines = (row: object): readonly object[] => {
  const [name, items] = Object.entries(row).find(([, value]) => Array.isArray(value)) ?? [];
  return name === undefined ? [row] : items.map((item: unknown) => ({ ...row, [name]: item }));
};

const toCell = (row: unknown, path: Path): string | number | null => {
  const value = path.reduce<unknown>((fields, name) => (fields as Record<string, unknown>)[name], row);
  return typeof value === 'boolean' ? String(value) : ((value as string | number | null) ?? null);
};

type Page = Readonly<Record<string, unknown>> & {
  readonly next?: string | null;
  readonly is_complete?: boolean;
  readonly index?: LibraryIndex | undefined;
};

/** What a search lacks. */
const toLack = ({ index }: Page): string =>
  index && index.indexed < index.transcripts
    ? `${index.indexed} of ${index.transcripts} transcripts can be searched so far`
    : 'there are more passages than one search finds';

/**
 * The rows of a list's page as a table, with the address of the next page in a header (RFC 8288). What is not all says so in a header, and in a
 * line behind the last page.
 */
export const csvPage = (
  schema: unknown,
  page: Page,
): readonly [type: 'text/csv; charset=utf-8', table: string, more: object] => {
  const fields = Object.entries((schema as ZodObject).shape);
  const [name = '', list] = fields.find(([, field]) => field instanceof ZodArray) ?? [];
  const columns = listColumns(list);
  const rows = (page[name] as readonly object[])
    .flatMap(toLines)
    .map((row) => columns.map((path) => toCell(row, path)));
  const header = columns.map((path) => path.join('_'));
  const { next, is_complete: isComplete } = page;
  const headers = {
    ...(next && { Link: `<${next}>; rel="next"` }),
    ...(isComplete !== undefined && { 'X-Is-Complete': String(isComplete) }),
  };
  return [
    'text/csv; charset=utf-8',
    csvTable(header, rows, isComplete === false && !next ? toLack(page) : ''),
    Object.keys(headers).length > 0 ? { headers } : {},
  ];
};
