import { nameServiceDatabase, urlFor } from '@tds/migrations';
import { type AdminUrl, adminUrlOf } from '@tds/provisioning';
import pg from 'pg';

/** A breach, with enough to look it up. */
export type Finding = {
  /** The promise that was broken, as in docs/reliability.md. */
  readonly invariant: string;
  /** An account, an operation, a message, a file ... */
  readonly subject: string;
  readonly what: string;
  readonly expected: string;
  readonly found: string;
};
export type Breach = Omit<Finding, 'invariant'>;

export type Connection = { query(sql: string, values?: unknown[]): Promise<{ rows: never[] }> };

/** Read access to the databases of a system, as its administrator. */
export type Evidence = {
  /** True if all work has ended: then no row may be open any more. */
  readonly atRest: boolean;
  rows<Row>(service: string, sql: string, values?: unknown[]): Promise<Row[]>;
  /** One connection for several statements. */
  withConnection<T>(service: string, use: (connection: Connection) => Promise<T>): Promise<T>;
};

/** One promise over the databases. `book-checks.ts` names all. */
export type BookCheck = {
  readonly invariant: string;
  readonly promise: string;
  readonly check: (evidence: Evidence) => Promise<Breach[]>;
};

/** The addresses of all databases; `postgres` is the administrator's address to any of them, or to one of each server. */
export const databasesOn =
  (postgres: AdminUrl) =>
  (service: string): string =>
    urlFor(adminUrlOf(postgres, service), nameServiceDatabase(service, () => '').database);

const LIFE = { connectionTimeoutMillis: 30_000, idleTimeoutMillis: 1_000, allowExitOnIdle: true };

/** Questions to a database share connections: opening one costs more than most answers. */
export const openPool = (connectionString: string): pg.Pool =>
  new pg.Pool({ connectionString, ...LIFE })
    // A connection that is lost fails its next question, not the process.
    .on('error', () => {})
    .on('connect', (client) => client.on('error', () => {}));

/** `addressOf` gives the administrator's address to a service's database. */
export const openEvidence = (
  addressOf: (service: string) => string,
  { atRest }: Pick<Evidence, 'atRest'>,
): Evidence => {
  const pools: Record<string, pg.Pool> = {};
  const poolOf = (service: string): pg.Pool => {
    pools[service] ??= openPool(addressOf(service));
    return pools[service];
  };
  const rows: Evidence['rows'] = async (service, sql, values) =>
    (await poolOf(service).query(sql, values)).rows;
  const withConnection: Evidence['withConnection'] = async (service, use) => {
    const client = await poolOf(service).connect();
    // It is not used again: settings and transactions of its user end with it.
    return use(client as Connection).finally(() => client.release(true));
  };
  return { atRest, withConnection, rows };
};

/** A query whose rows are breaches. A row has the columns of a breach that the question leaves out; `id` is its subject. */
export type Question = Partial<Breach> & {
  readonly service: string;
  readonly sql: string;
  readonly values?: readonly unknown[];
};

export const ask = async (
  { rows }: Evidence,
  { service, sql, values = [], subject, ...question }: Question,
): Promise<Breach[]> =>
  (await rows<Breach & { id?: string }>(service, sql, [...values])).map(({ id, ...row }) => ({
    ...question,
    ...row,
    subject: row.subject ?? (subject === undefined ? `${id}` : `${subject} ${id}`),
  }));

export const askAll = async (evidence: Evidence, questions: readonly Question[]): Promise<Breach[]> => {
  const breaches: Breach[] = [];
  for (const question of questions) breaches.push(...(await ask(evidence, question)));
  return breaches;
};

/** Reads pages behind a key, and checks each. A page that is not full is the last. */
export const checkPages = async <Row, Key>(
  size: number,
  first: Key,
  read: (after: Key) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
  check: (page: Row[]) => Breach[] | Promise<Breach[]>,
): Promise<Breach[]> => {
  const breaches: Breach[] = [];
  for (let after: Key | undefined = first; after !== undefined; ) {
    const page: Row[] = await read(after);
    breaches.push(...(await check(page)));
    const last = page.at(-1);
    after = page.length === size && last !== undefined ? keyOf(last) : undefined;
  }
  return breaches;
};

export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** The same, of rows that one query reads behind the id in $1. */
export const checkPagesById = <Row extends { readonly id: string }>(
  { rows }: Evidence,
  { service, sql, pageSize }: Pick<Question, 'service' | 'sql'> & { readonly pageSize: number },
  check: (page: Row[]) => Promise<Breach[]>,
): Promise<Breach[]> =>
  checkPages(
    pageSize,
    FIRST_ID,
    (after) => rows<Row>(service, sql, [after]),
    ({ id }) => id,
    check,
  );

type StrayQuery = {
  /** Reads `key`s behind $1. */
  readonly source: Pick<Question, 'service' | 'sql'>;
  readonly idOf?: (key: string) => string;
  /** Reads the `id`s of $1 that are known. */
  readonly reference: Pick<Question, 'service' | 'sql'>;
  readonly pageSize: number;
  readonly breach: Pick<Breach, 'subject' | 'what' | 'expected'>;
};

/** Finds keys of one service that another one does not know. */
export const findStrays = (
  { rows }: Evidence,
  { source, idOf = (key) => key, reference, pageSize, breach }: StrayQuery,
): Promise<Breach[]> =>
  checkPages(
    pageSize,
    '',
    (after) => rows<{ key: string }>(source.service, source.sql, [after]),
    ({ key }) => key,
    async (page) => {
      const ids = page.map(({ key }) => idOf(key));
      const matches = await rows<{ id: string }>(reference.service, reference.sql, [ids]);
      const existing = new Set(matches.map(({ id }) => id));
      const strays = ids.filter((id) => !existing.has(id));
      return strays.map((id) => ({ ...breach, subject: `${breach.subject} ${id}`.trim(), found: 'none' }));
    },
  );

/** A younger change may still be on its way. */
export const TRAVEL_SECONDS = 60;

export const formatFinding = ({ invariant, subject, what, expected, found }: Finding): string =>
  `${invariant}  ${what}: expected ${expected}, found ${found}  (${subject})`;

/** Those that both looks have found: work that was under way in between is no breach. */
export const findRepeated = <Found extends object>(
  first: readonly Found[],
  second: readonly Found[],
): Found[] => {
  const keys = new Set(first.map((finding) => JSON.stringify(finding)));
  return second.filter((finding) => keys.has(JSON.stringify(finding)));
};
