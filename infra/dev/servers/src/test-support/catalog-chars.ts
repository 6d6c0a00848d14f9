import { ColumnTypeEnum, type SqlDriverAdapter } from '@prisma/driver-adapter-utils';

interface QueryResult {
  readonly fields: { dataTypeID: number }[];
  readonly rows: unknown;
}

interface Queryable {
  query(...parameters: unknown[]): Promise<QueryResult>;
}

const charType = 18; // the type "char", which only Postgres' own catalogue has
const textType = 25;

/**
 * The engine reads the catalogue to compare schemas, and the adapter refuses the one type of it that it does not know.
 * Such columns pass it as text, and are handed to the engine as the single characters that it expects.
 */
export const readCatalogChars = <Adapter extends SqlDriverAdapter>(
  adapter: Adapter,
  pool: unknown,
): Adapter => {
  const charColumns = new WeakMap<object, number[]>();
  const queryable = pool as Queryable;
  const query = queryable.query.bind(queryable);
  const queryRaw = adapter.queryRaw.bind(adapter);

  queryable.query = async (...parameters) => {
    const result = await query(...parameters);
    const chars = (result.fields ?? []).flatMap(({ dataTypeID }, index) =>
      dataTypeID === charType ? [index] : [],
    );
    for (const index of chars) Object.assign(result.fields[index] ?? {}, { dataTypeID: textType });
    if (chars.length > 0) charColumns.set(result.rows as object, chars);
    return result;
  };
  adapter.queryRaw = async (request) => {
    const result = await queryRaw(request);
    for (const index of charColumns.get(result.rows) ?? [])
      result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
  return adapter;
};
