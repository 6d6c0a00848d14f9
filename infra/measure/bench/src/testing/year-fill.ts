import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '../support/databases.ts';
import { withoutIndexes } from './without-indexes.ts';

/** The first assumption of `year.txt`, from which the others follow. */
export const DELIVERIES_OF_A_CUSTOMER = 500;

/** An id of row `number`, in order of time as the ids of the services are. */
export const idOf = (kind: string, number = 'n'): string =>
  `(lpad(to_hex(${number}), 12, '0') || '70008000' || left(md5('${kind}'), 12))::uuid`;

const toSql = (text: string): string =>
  text
    .replace(/\bid\('([^']+)'(?:, ([^)]+))?\)/g, (_, kind: string, number?: string) => idOf(kind, number))
    .replace(/\bsoon\b/, `now() + interval '1 hour'`);

type Kind = {
  readonly name: string;
  readonly table: string;
  readonly each: number;
  readonly isDaily: boolean;
  readonly days: number;
  readonly old: number;
  readonly columns: Readonly<Record<string, string>>;
};

const toKind = (line: string): [service: string, kind: Kind] => {
  const [service = '', name = '', each = '', days, old, columns = ''] = line
    .split(/ \|(?= )/)
    .map((cell) => cell.trim());
  const set = columns.split('; ').filter(Boolean);
  const kind = {
    ...{ name, table: name.replace(/#.*/, ''), each: Number.parseFloat(each), isDaily: each.endsWith('day') },
    ...{ days: Number(days), old: Number(old) },
    columns: Object.fromEntries(
      set.map((one) => [one.split(' = ', 1)[0], toSql(one.slice(one.indexOf(' = ') + 3))]),
    ),
  };
  return [service, kind];
};

const all = readFileSync(path.join(import.meta.dirname, 'year.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('# '))
  .map(toKind);

/** The kinds of rows of a service, the kit's included. */
const listKinds = (service: string): Kind[] =>
  all.flatMap(([owner, kind]) => (owner === service || owner === '*' ? [kind] : []));

const REQUIRED = `
  SELECT column_name AS name, data_type AS type FROM information_schema.columns
  WHERE (table_schema, table_name) = ($1, $2) AND is_nullable = 'NO' AND column_default IS NULL
    AND is_identity = 'NO' AND is_generated = 'NEVER'`;

/** Values by type. A table with other needs says so in the assumptions. */
const findValue = ({ name: kind }: Kind, column: string, type: string): string => {
  if (column === 'account_id') return idOf('accounts', 'n % accounts');
  const values: Readonly<Record<string, string>> = {
    uuid: idOf(column === 'id' ? kind : column),
    character: `'v' || lpad(n::text, 10, '0')`,
    text: `'${kind}-' || n`,
    'timestamp with time zone': 'at',
    date: 'at::date',
    boolean: 'false',
    jsonb: `'{}'`,
    ARRAY: `'{}'`,
    bytea: `sha256(('${column}' || n)::bytea)`,
  };
  return values[type] ?? '1';
};

/** Rows $1 to $2 of a system of $3 accounts, written between $4 and $5 days ago. */
const buildInsert = async (client: Pick<Client, 'query'>, kind: Kind): Promise<string> => {
  const [name = '', schema = 'public'] = kind.table.split('.').toReversed();
  const { rows } = await client.query<{ name: string; type: string }>(REQUIRED, [schema, name]);
  const columns = {
    ...Object.fromEntries(rows.map((column) => [column.name, findValue(kind, column.name, column.type)])),
    ...kind.columns,
  };
  return `
    INSERT INTO ${kind.table} (${Object.keys(columns).join(', ')}) SELECT ${Object.values(columns).join(', ')}
    FROM (SELECT n, $3::bigint AS accounts, now() - ($4::float8 - ($4 - $5::float8) * (n - $1) / ($2 - $1)) * interval '1 day' AS at
      FROM generate_series($1::bigint, $2::bigint - 1) AS n) AS rows`;
};

const DAYS = 365;
/** Rows at the end of their time must not become old while the benchmark runs. */
const MAX_AGE_SHARE = 0.98;

/** Fills the tables of a service with what `accounts` customers leave in a year. A superuser's connection: no trigger runs. */
export const fillYear = async (client: Client, service: string, accounts: number): Promise<void> => {
  await client.query(`SET session_replication_role = replica; SET maintenance_work_mem = '512MB'`);
  for (const [table, kinds = []] of Object.entries(Object.groupBy(listKinds(service), (kind) => kind.table))) {
    await withoutIndexes(client, table, async () => {
      for (const kind of kinds) {
        const { each, isDaily, days } = kind;
        const count = isDaily ? each * days : (accounts * each * days) / DAYS;
        const values = [0, Math.ceil(count), accounts, days * MAX_AGE_SHARE, 0];
        await client.query(await buildInsert(client, kind), values).catch((error: Error) => {
          throw new Error(`${kind.name}: ${error.message}`, { cause: error });
        });
      }
    });
    await client.query(`VACUUM ANALYZE ${table}`);
  }
};

/** Beyond the rows of every year. */
const OLD_FROM = 1_000_000;

/** Adds rows that the next purge deletes; returns the statement for each batch of them. */
export const prepareOldRows = async (
  client: Pick<Client, 'query'>,
  service: string,
): Promise<() => Promise<void>> => {
  await client.query('SET session_replication_role = replica');
  const kinds = listKinds(service).filter(({ old }) => old > 0);
  const inserts = await Promise.all(
    kinds.map(async (kind) => ({ ...kind, text: await buildInsert(client, kind) })),
  );
  let batch = OLD_FROM;
  return async () => {
    batch += 1;
    for (const { name, text, old, days } of inserts) {
      const values = [batch * old, (batch + 1) * old, 1, days + 2, days + 1];
      await client.query({ name: `old ${name}`, text, values });
    }
  };
};
