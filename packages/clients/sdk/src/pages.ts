import { type Call, type Connection, queryCall, type RequestOptions } from './connection.ts';

/** What comes at the head of a list while it is read moves items to the next page, where they stand again. */
const idOf = (row: unknown): string | undefined => {
  const { id, request_id: requestId } = Object(row) as { readonly id?: string; readonly request_id?: string };
  return id ?? requestId;
};

/** Items of a list, read page by page as they are asked for: `for await (const item of pages)`. */
export class Pages<Row, Page> implements AsyncIterable<Row> {
  /** The page that was read last: its totals say whether that was all. */
  last: Page | null = null;
  readonly #read: (call: Call) => Promise<Page>;
  readonly #first: Call;
  readonly #rows: (page: Page) => readonly Row[];
  readonly #next: (page: Page, call: Call) => Call | null;

  constructor(
    read: (call: Call) => Promise<Page>,
    first: Call,
    rows: (page: Page) => readonly Row[],
    next: (page: Page, call: Call) => Call | null,
  ) {
    this.#read = read;
    this.#first = first;
    this.#rows = rows;
    this.#next = next;
  }

  /** The pages themselves, with their totals. */
  async *pages(): AsyncGenerator<Page> {
    for (let call: Call | null = this.#first; call; ) {
      const page: Page = await this.#read(call);
      this.last = page;
      yield page;
      call = this.#next(page, call);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row> {
    const seen = new Set<string>();
    for await (const page of this.pages())
      for (const row of this.#rows(page)) {
        const id = idOf(row);
        if (id === undefined || !seen.has(id)) yield row;
        if (id !== undefined) seen.add(id);
      }
  }
}

type NameOf<Rows, Page> = { [Name in keyof Page]: Page[Name] extends Rows ? Name : never }[keyof Page];

/** A list whose pages have their items in `name`, and the address of the next one in `next`. */
export const createList = <Row, Page extends { readonly next: string | null }>(
  connection: Connection,
  path: string,
  name: NameOf<readonly Row[], Page>,
  options: RequestOptions,
  read = (call: Call): Promise<Page> => connection.json<Page>(call),
): Pages<Row, Page> =>
  new Pages<Row, Page>(
    read,
    queryCall(path, options),
    (page) => page[name] as readonly Row[],
    ({ next }, call) => (next === null ? null : { ...call, path: next, query: {} }),
  );

/** All pages of a list as one CSV. */
export const readCsv = async (
  connection: Connection,
  path: string,
  limit: number,
  { signal, timeoutMs, ...filters }: RequestOptions,
): Promise<string> => {
  // Spreadsheets need the byte order mark, which the decoder of an answer takes away.
  let table = '\ufeff';
  let next: string | undefined = path;
  for (let query: object = { ...filters, format: 'csv', limit }; next; query = {}) {
    table += await connection.pollResult({ signal, timeoutMs, path: next, query }, async (response) => {
      next = response.headers.get('link')?.split(/[<>]/)[1];
      const page = await response.text();
      // The header of a page ends with its first line break: no name in it has one.
      return table.length > 1 ? page.slice(page.indexOf('\n') + 1) : page;
    });
  }
  return table;
};
