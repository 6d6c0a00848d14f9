import type { Connection, RequestOptions } from './connection.ts';

/** All pages of a list as one CSV for a spreadsheet, which needs the byte order mark that the decoder of an answer takes away. */
export const readTable = async (
  connection: Connection,
  path: string,
  { signal, timeoutMs, ...query }: RequestOptions,
): Promise<string> => {
  let table = '\ufeff';
  let next: string | undefined = path;
  for (let first: object = { ...query, format: 'csv' }; next; first = {}) {
    table += await connection.pollResult({ signal, timeoutMs, path: next, query: first }, async (response) => {
      next = response.headers.get('link')?.split(/[<>]/)[1];
      const page = await response.text();
      // The header of a page ends with its first line break: no name in it has one.
      return table.length > 1 ? page.slice(page.indexOf('\n') + 1) : page;
    });
  }
  return table;
};
