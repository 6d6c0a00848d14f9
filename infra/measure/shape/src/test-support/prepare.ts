import type { Columns, Kind, Statement } from './statements.ts';

/** The part of a client of `pg` that has a statement described without running it. */
type Connection = {
  parse(query: { name: string; text: string; types: number[] }): void;
  describe(target: { type: 'S'; name: string }): void;
  sync(): void;
};
type Field = { readonly name: string; readonly dataTypeID: number };
type Client = {
  query(description: object): unknown;
};

const simple: Readonly<Record<number, Kind>> = {
  16: 'boolean',
  17: 'bytes',
  ...{ 21: 'number', 23: 'number', 26: 'number', 700: 'number', 701: 'number' },
  ...{ 1082: 'date', 1114: 'date', 1184: 'date' },
  ...{ 114: 'json', 3802: 'json' },
  1000: 'boolean[]',
  ...{
    1007: 'number[]',
    1005: 'number[]',
    1016: 'bigint[]',
    1009: 'string[]',
    2951: 'string[]',
    1015: 'string[]',
  },
};
/** `pg` gives bigint and numeric as text. */
const INT8 = 20;

/** The kind that a column of this type has; what is not listed is text. */
const kindOf = (oid: number, driver: Statement['driver']): Kind =>
  oid === INT8 ? (driver === 'pg' ? 'string' : 'bigint') : (simple[oid] ?? 'string');

const describe = (client: Client, text: string): Promise<readonly Field[]> =>
  new Promise((resolve, reject) => {
    let fields: readonly Field[] = [];
    let failure: unknown;
    client.query({
      submit: (connection: Connection) => {
        connection.parse({ name: '', text, types: [] });
        connection.describe({ type: 'S', name: '' });
        connection.sync();
      },
      handleRowDescription: (message: { fields: readonly Field[] }) => {
        fields = message.fields;
      },
      handleError: (error: unknown) => {
        failure = error;
      },
      handleReadyForQuery: () => (failure === undefined ? resolve(fields) : reject(failure)),
    });
  });

const matches = (column: Kind, read: readonly Kind[]): boolean =>
  column === 'json' || read.includes(column) || (column.endsWith('[]') && read.includes('json'));

const compare = (columns: Columns, fields: readonly Field[], driver: Statement['driver']): string[] =>
  Object.entries(columns).flatMap(([name, read]) => {
    const field = fields.find((one) => one.name === name);
    if (!field) return [`has no column ${name}`];
    const column = kindOf(field.dataTypeID, driver);
    return matches(column, read)
      ? []
      : [`${name} is ${column} (type ${field.dataTypeID}), its type says ${read.join(' or ')}`];
  });

/** What Postgres, or a comparison of its columns with the type of the code, has against a statement. */
export const prepare = async (
  client: Client,
  { where, driver, text, columns }: Statement,
): Promise<string[]> => {
  try {
    const fields = await describe(client, text ?? '');
    return compare(columns, fields, driver).map((fault) => `${where}: ${fault}`);
  } catch (error) {
    return [`${where}: ${(error as Error).message}`];
  }
};
