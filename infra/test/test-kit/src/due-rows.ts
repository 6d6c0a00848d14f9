import { eventually } from '@tds/servers/testing';

/** No process holds a row with an ended lease, or with none. */
const ENDED = '(lease_until IS NULL OR lease_until <= clock_timestamp())';
const UNHELD = 'true';

const messagingTables = { 'messaging.tasks': ENDED, 'messaging.schedules': ENDED } as const;

/** The rows that wait for work, by service: when no process holds one. */
const serviceTables = {
  'bulk-orchestrator': {
    jobs: `(${ENDED} AND (read_until IS NULL OR read_until <= clock_timestamp()))`,
    job_rows: 'NOT EXISTS (SELECT FROM jobs WHERE id = job_id AND lease_until > clock_timestamp())',
  },
  'monitor-scheduler': { feeds: ENDED, monitors: ENDED, actions: ENDED },
  'transcript-fetcher': {
    unindexed_transcripts: ENDED,
    // Its lease is the pause before the next try: a settlement may be tried twice at once, which changes nothing.
    settlements: UNHELD,
  },
  'webhook-dispatcher': {
    deliveries: "(state <> 'sending' OR due_at <= clock_timestamp())",
    // One statement takes and leaves them.
    endpoints: UNHELD,
    queues: UNHELD,
  },
} as const;

type Services = typeof serviceTables;
/** A package that tests its own tables may name any. */
type TableOf<Service extends string> =
  | keyof typeof messagingTables
  | (Service extends keyof Services ? keyof Services[Service] & string : `${string}s`);

const freeIn = (service: string, table: string): string => {
  const own: Readonly<Record<string, string>> = serviceTables[service as keyof Services] ?? {};
  return own[table] ?? ENDED;
};

/** A statement on the database of the service; it answers rows, or a result that has them. */
type Query = (text: string, values: unknown[]) => Promise<unknown>;
type Rows = { readonly where?: string; readonly values?: readonly unknown[] };

const rowsBy =
  (query: Query) =>
  async (text: string, values: readonly unknown[] = []): Promise<unknown[]> => {
    const answer = await query(text, [...values]);
    return Array.isArray(answer) ? answer : (answer as { rows: unknown[] }).rows;
  };

const NOW = 'clock_timestamp()';
/** Of a table: until when a row is leased, which rows are, and what makes its holder notice the loss. */
const leaseOf = (table: string) =>
  table === 'deliveries'
    ? { until: 'due_at', where: "state = 'sending'", loss: '' }
    : { until: 'lease_until', where: 'true', loss: 'lease_epoch = lease_epoch + 1, ' };

/** The kit names the connections of a service. */
const LIVING = `
  SELECT DISTINCT application_name AS name FROM pg_stat_activity
  WHERE datname = current_database() AND regexp_replace(application_name, '( kit)?(/.*)?$', '') = $1`;

/**
 * What tests change about rows that wait for work. None of it touches a row while a process holds it: a change waits until no process
 * holds any of its rows, and leases end only if no process of the service is alive. `loseLeases` alone takes a row away, on purpose.
 */
export const dueRows = <const Service extends string>(service: Service, query: Query) => {
  const run = rowsBy(query);
  /** Changes all rows in one statement, at a moment when none is held. Resolves to how many there are. */
  const change = (table: string, set: string, { where = 'true', values = [] }: Rows, interval: string) =>
    eventually(async () => {
      const free = freeIn(service, table);
      // One statement: a lease that ends between two would leave rows unchanged, and held by none.
      const text = `
        WITH held AS MATERIALIZED (SELECT FROM ${table} WHERE (${where}) AND NOT ${free} LIMIT 1), changed AS (
          UPDATE ${table} SET ${set.replaceAll('$interval', `$${values.length + 1}::interval`)}
          WHERE (${where}) AND ${free} AND NOT EXISTS (SELECT FROM held) RETURNING 1
        ) SELECT EXISTS (SELECT FROM held) AS held, (SELECT count(*)::int FROM changed) AS changed`;
      const [row] = (await run(text, [...values, interval])) as [{ held: boolean; changed: number }];
      if (row.held) throw new Error(`a process of ${service} holds rows of ${table}`);
      return row.changed;
    });
  return {
    /** Rows are due after this interval: now, or a negative one if they are overdue. */
    makeDue: (table: TableOf<Service>, rows: Rows = {}, after = '0'): Promise<number> => {
      const pause = table === 'settlements' ? ', lease_until = NULL' : '';
      return change(table, `due_at = ${NOW} + $interval${pause}`, rows, after);
    },
    /** Rows are due now, as if they had been tried so often. */
    makeDueAfterAttempts: (table: TableOf<Service>, attempts: number, rows: Rows = {}): Promise<number> =>
      change(table, `due_at = ${NOW} + $interval, attempts = ${attempts}`, rows, '0'),
    /** So much time passes for these columns. */
    passTime: (table: TableOf<Service>, time: string, columns = ['due_at'], rows: Rows = {}): Promise<number> =>
      change(table, columns.map((column) => `${column} = ${column} - $interval`).join(', '), rows, time),
    /** What dead processes held is free, as if its leases had run out. Waits until no process of the service is alive. */
    endLeases: (...tables: readonly TableOf<Service>[]): Promise<void> =>
      eventually(async () => {
        const living = await run(LIVING, [service]);
        if (living.length > 0) throw new Error(`a process of ${service} is alive`);
        for (const table of tables) {
          const { until, where } = leaseOf(table);
          await run(`UPDATE ${table} SET ${until} = ${NOW} WHERE ${where} AND ${until} > ${NOW}`);
        }
      }),
    /** Another process has the rows from now on, for tests of what their holder may still do: nothing. */
    loseLeases: async (table: TableOf<Service>, { where = 'true', values = [] }: Rows = {}, until = '0') => {
      const lease = leaseOf(table);
      const set = `${lease.loss}${lease.until} = ${NOW} + $${values.length + 1}::interval`;
      await run(`UPDATE ${table} SET ${set} WHERE (${where}) AND ${lease.where}`, [...values, until]);
    },
  };
};
