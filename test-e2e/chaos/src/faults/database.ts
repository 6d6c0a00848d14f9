import { nameServiceDatabase, urlFor, urlsOf, withClient } from '@tds/servers';
import { copyDatabase } from '@tds/test-kit';
import { type HurtPostgres, sleep, until } from '#support';
import type { Harness } from '../harness.ts';
import type { Blow, Fault } from './fault.ts';

const isBack = ({ url }: HurtPostgres): Promise<boolean> =>
  withClient(url, (client) => client.query('SELECT')).then(
    () => true,
    () => false,
  );

/** The keeper starts it again at once; Postgres then recovers from its log, and what counts is the time from there. */
const restartAtOnce = async (harness: Harness, { target }: { readonly target: string }): Promise<Blow> => {
  const postgres = harness.system.postgresOf(target);
  await postgres.signal('SIGQUIT');
  await until(async () => !(await isBack(postgres)), { withinMs: 5_000, everyMs: 5 });
  await until(() => isBack(postgres), { withinMs: 60_000, everyMs: 20 });
  return { struckAt: harness.history.now() };
};

const CUT = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE usename LIKE '%\\_app' AND random() < 0.7`;
const CUT_EVERY_MS = 400;

const cutConnections = async (
  { system }: Harness,
  { target, holdMs }: { readonly target: string; readonly holdMs: number },
): Promise<Blow> => {
  const { url } = system.postgresOf(target);
  for (let left = holdMs; left > 0; left -= CUT_EVERY_MS) {
    await withClient(url, (client) => client.query(CUT));
    await sleep(CUT_EVERY_MS);
  }
  return {};
};

const LOCKS = [
  ['credits-ledger', 'SELECT FROM accounts WHERE random() < 0.5 FOR UPDATE'],
  ['transcript-fetcher', 'SELECT FROM operations WHERE random() < 0.5 FOR UPDATE'],
  ['transcript-fetcher', 'SELECT FROM batches WHERE random() < 0.5 FOR UPDATE'],
  ['bulk-orchestrator', 'SELECT FROM jobs WHERE random() < 0.5 FOR UPDATE'],
  ['search', 'SELECT FROM searches WHERE random() < 0.5 FOR UPDATE'],
  ['search', 'SELECT FROM listings WHERE random() < 0.5 FOR UPDATE'],
  ['identity', 'SELECT FROM accounts WHERE random() < 0.5 FOR UPDATE'],
] as const;

/** An idle transaction keeps rows locked. */
const holdLocks = async ({ evidence }: Harness, { holdMs }: { holdMs: number }): Promise<Blow> => {
  const hold = LOCKS.map(([service, lock]) =>
    evidence.withConnection(service, async (connection) => {
      await connection.query(`BEGIN; SET LOCAL lock_timeout = '2s'`);
      // A row that is locked by a worker for longer than that is left to it.
      await connection.query(lock).catch(() => {});
      await sleep(holdMs);
      await connection.query('ROLLBACK');
    }),
  );
  await Promise.all(hold);
  return {};
};

const HEARD = 'SELECT count(*)::int AS count FROM messaging.inbox';
/** What a copy from before the run would lack of what the ledger heard. Its books stay: callers have answers about them. No event is half heard. */
const FORGET_HEARD = `
  LOCK TABLE messaging.inbox IN SHARE ROW EXCLUSIVE MODE;
  WITH inbox AS (DELETE FROM messaging.inbox), positions AS (UPDATE messaging.positions SET stream_seq = 0)
  UPDATE accounts SET status = 'active', status_version = -1`;
const CUT_LEDGER = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'credits_ledger_app'`;
const HEARD_AGAIN_WITHIN_MS = 60_000;

/** As after the restore of one database: the broker believes that everything was heard. */
const goBack = async ({ evidence }: Harness): Promise<Blow> => {
  const heard = async () => (await evidence.rows<{ count: number }>('credits-ledger', HEARD))[0]?.count ?? 0;
  const before = await heard();
  await evidence.rows('credits-ledger', FORGET_HEARD);
  await evidence.rows('credits-ledger', CUT_LEDGER);
  const all = await until(async () => (await heard()) >= before, {
    withinMs: HEARD_AGAIN_WITHIN_MS,
    everyMs: 200,
  });
  // The checks at the end name what is missing.
  return { happened: all && before > 0 };
};

const restorable = ['monitor-scheduler', 'webhook-dispatcher', 'billing', 'status'] as const;
const TOGETHER = 'all of these';

const copyOf = ({ system }: Harness, service: string) => {
  const { url: server } = system.postgresOf(service);
  const named = nameServiceDatabase(service, () => '');
  return copyDatabase({ ...urlsOf(server, named), adminUrl: urlFor(server, named.database) });
};

/** Customers go on while the copies grow old; then the copies take the place of the databases. */
const putBack = async (
  harness: Harness,
  { target, holdMs }: { target: string; holdMs: number },
): Promise<Blow> => {
  const services = target === TOGETHER ? restorable : [target];
  const copies = await Promise.all(services.map((service) => copyOf(harness, service)));
  await sleep(holdMs);
  const at = harness.history.now();
  for (const service of services) harness.restores.set(service, [...(harness.restores.get(service) ?? []), at]);
  await Promise.all(copies.map((copy) => copy.putBack()));
  const struckAt = harness.history.now();
  await Promise.all(copies.map((copy) => copy.drop()));
  return { struckAt };
};

const ofPostgres = { cachedReads: true, needs: 'everything', targets: ['postgres'] } as const;
type PostgresFault = Omit<Fault, keyof typeof ofPostgres> & Partial<Fault>;

const serverFaults: readonly PostgresFault[] = [
  {
    ...{ id: 'R11', name: 'restart-database', kills: 1, holdMs: 0, quickHoldMs: 1 },
    does: 'immediate shutdown of Postgres, started again',
    run: restartAtOnce,
  },
  {
    ...{ id: 'R12', name: 'cut-connections', kills: 0, holdMs: 4_000, quickHoldMs: 1_200 },
    does: 'pg_terminate_backend of most connections, again and again',
    run: cutConnections,
  },
];

const databaseFaults: readonly PostgresFault[] = [
  {
    ...{ id: 'R13', name: 'hold-locks', kills: 0, holdMs: 4_000, quickHoldMs: 1_500 },
    does: 'half of the rows of the hot tables locked by an idle session',
    run: holdLocks,
  },
  {
    ...{ id: 'R30', name: 'restore-database', kills: 0, holdMs: 0, quickHoldMs: 1 },
    does: 'what the ledger heard of accounts is taken from its database, as by putting an older copy back',
    run: goBack,
  },
  {
    ...{ id: 'R30', name: 'put-database-back', kills: 0, holdMs: 8_000, quickHoldMs: 2_000 },
    does: 'the database of one service, or of four together, is replaced by a copy of some seconds before',
    targets: [...restorable, TOGETHER],
    hits: restorable.length + 1,
    run: putBack,
  },
];

/** `servers`: one Postgres, or the databases that have one each; a full run hits all. */
export const createDatabaseFaults = (servers: readonly string[]): readonly Fault[] =>
  [
    ...serverFaults.map((fault) => ({ ...fault, targets: servers, hits: servers.length })),
    ...databaseFaults,
  ].map((fault) => ({ ...ofPostgres, ...fault }));
