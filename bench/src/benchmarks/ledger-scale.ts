import { newId } from '@tds/contracts';
import type { Servers } from '@tds/local';
import {
  type DatabaseUrls,
  ensureServiceDatabase,
  migrate,
  nameServiceDatabase,
  prismaDirsOf,
  urlFor,
  withClient,
} from '@tds/servers';
import { checkNewBooks } from '../../../services/credits-ledger/src/books/check-books.ts';
import type { Bench, Benchmark, Outcome, Row } from '../benchmark.ts';
import { type Fill, fillLedger, fillOnePage, MONTHS } from '../support/ledger-fill.ts';
import { measure, row } from '../support/measure.ts';
import { cpuMicros } from '../support/procfs.ts';
import { median } from '../support/statistics.ts';

const MOST = 1.3;
const MOST_ACCOUNTS = 20_000;
/** The fewest deliveries in a month of an account, except the hot one. */
const LEAST_A_MONTH = 4;
const HOT_SHARE = 0.2;
const PAGE = 50;
const BATCH = 16;
const PAIRS = 200;
/** Enough for the fixed cost of a call not to count. */
const SEALED_PAIRS = 1_024;
const PAGES = 200;
const CHECKS = 20;
const WARM_UPS = 100;

type Client = Parameters<Parameters<typeof withClient>[1]>[0];
type Ledger = {
  readonly app: Client;
  readonly owner: Client;
  readonly accounts: readonly string[];
  /** Process ids of both connections in the server. */
  readonly backends: readonly number[];
};
/** Time and server CPU (µs) of one operation. */
type Cost = { readonly ms: number; readonly cpu: number };
type Operation = Readonly<Record<string, unknown>>;

const apply = async ({ app }: Ledger, operations: readonly Operation[]): Promise<void> => {
  const { rows } = await app.query<{ outcome: string }>({
    name: 'apply',
    text: 'SELECT outcome FROM apply_operations($1::jsonb)',
    values: [JSON.stringify(operations)],
  });
  const refused = rows.find(({ outcome }) => outcome !== 'reserved' && outcome !== 'settled');
  if (refused) throw new Error(`the ledger answered "${refused.outcome}"`);
};

const anyOf = (accounts: readonly string[]): string =>
  String(accounts[Math.floor(Math.random() * accounts.length)]);

const pairs = async (ledger: Ledger, size: number): Promise<void> => {
  const held = Array.from({ length: size }, () => ({ ref: newId(), account_id: anyOf(ledger.accounts) }));
  const facts = {
    amount: 1,
    reason: 'transcript',
    request_id: 'bench',
    subject: { video_id: 'loadvideo01' },
  };
  await apply(
    ledger,
    held.map((one) => ({ kind: 'reserve', ...one, key_id: one.account_id, daily_cap: 1_000_000, ...facts })),
  );
  await apply(
    ledger,
    held.map(({ ref }) => ({ kind: 'settle', ref, request_id: 'bench' })),
  );
};

const page = async ({ app, accounts }: Ledger): Promise<void> => {
  const { rowCount } = await app.query({
    name: 'page',
    text: 'SELECT * FROM ledger_page($1, NULL, $2, 0, NULL)',
    values: [accounts[0], PAGE],
  });
  if (rowCount !== PAGE) throw new Error(`a page of ${rowCount} lines`);
};

/** Seals every new entry, and returns their number. */
const seal = async ({ app }: Ledger): Promise<number> => {
  const { rows } = await app.query<{ sealed: number }>('SELECT seal_entries(1000000) AS sealed');
  return rows[0]?.sealed ?? 0;
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

/** The median time of `count` runs, one after the other, and the mean of their CPU. */
const costOf = async ({ backends }: Ledger, count: number, work: () => Promise<unknown>): Promise<Cost> => {
  const before = cpuMicros(backends);
  const took: number[] = [];
  for (let index = 0; index < count; index += 1) took.push(await timed(work));
  return { ms: median(took), cpu: (cpuMicros(backends) - before) / count };
};

const sealNew = async (ledger: Ledger): Promise<Cost> => {
  await seal(ledger);
  for (let index = 0; index < SEALED_PAIRS / BATCH; index += 1) await pairs(ledger, BATCH);
  let sealed = 0;
  const { ms, cpu } = await costOf(ledger, 1, async () => {
    sealed = await seal(ledger);
  });
  if (sealed < SEALED_PAIRS) throw new Error(`${sealed} entries were sealed`);
  return { ms: ms / sealed, cpu: cpu / sealed };
};

const checkNew = async ({ owner }: Ledger): Promise<void> => {
  const findings = await checkNewBooks(owner as never);
  if (findings.length > 0) throw new Error(`the books are off: ${JSON.stringify(findings[0])}`);
};

const measures: readonly { path: string; of: (ledger: Ledger) => Promise<Cost> }[] = [
  { path: 'a pair, reserve and settle', of: (ledger) => costOf(ledger, PAIRS, () => pairs(ledger, 1)) },
  {
    path: `${BATCH} pairs in two calls`,
    of: (ledger) => costOf(ledger, PAIRS / 2, () => pairs(ledger, BATCH)),
  },
  { path: `the newest page of ${PAGE} lines`, of: (ledger) => costOf(ledger, PAGES, () => page(ledger)) },
  { path: 'sealing, per entry', of: sealNew },
  { path: 'the check of what is new', of: (ledger) => costOf(ledger, CHECKS, () => checkNew(ledger)) },
];

const createLedger = async ({ postgres, secretOf }: Servers, name: string): Promise<DatabaseUrls> => {
  const urls = await ensureServiceDatabase(postgres.url, nameServiceDatabase(name, secretOf));
  await migrate({ databaseUrl: urls.ownerUrl, prismaDirs: prismaDirsOf('credits-ledger') });
  return urls;
};

const dropLedger = (servers: Servers, name: string): Promise<void> =>
  withClient(servers.postgres.url, async (admin) => {
    const { database, owner, app } = nameServiceDatabase(name, servers.secretOf);
    await admin.query(`DROP DATABASE ${database} WITH (FORCE)`);
    await admin.query(`DROP ROLE ${owner.name}, ${app.name}`);
  });

const backendOf = async (client: Client): Promise<number> =>
  (await client.query('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;

const connected = <T>({ url, ownerUrl }: DatabaseUrls, use: (ledger: Ledger) => Promise<T>): Promise<T> =>
  withClient(url, (app) =>
    withClient(ownerUrl, async (owner) => {
      const text = 'SELECT account_id FROM accounts ORDER BY account_id';
      const { rows } = await owner.query<{ account_id: string }>(text);
      const backends = await Promise.all([app, owner].map(backendOf));
      return use({ app, owner, accounts: rows.map(({ account_id }) => account_id), backends });
    }),
  );

const compare = async (bench: Bench, full: Ledger, empty: Ledger): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const { path, of } of measures) {
    for (const ledger of [full, empty]) {
      for (let index = 0; index < WARM_UPS; index += 1) await pairs(ledger, 1);
      await of(ledger);
    }
    const { ours, peer } = await measure(bench, { ours: () => of(full), peer: () => of(empty) });
    const cpuOf = (side: readonly Cost[]) => median(side.map(({ cpu }) => cpu)).toFixed(0);
    const msOf = (side: readonly Cost[]) => side.map(({ ms }) => ms);
    const cpu = `Postgres ${cpuOf(ours)}, with the empty one ${cpuOf(peer)}`;
    const figures = { ours: msOf(ours), peer: msOf(peer), goal: { most: MOST }, cpu };
    rows.push(row(`ledger with ${bench.deliveries} deliveries: ${path}`, 'ms', figures));
  }
  return rows;
};

const sizeOf = async ({ postgres }: Servers): Promise<string> =>
  withClient(urlFor(postgres.url, 'ledger_full'), async (client) => {
    const { rows } = await client.query(`SELECT pg_size_pretty(pg_database_size('ledger_full')) AS size`);
    return String(rows[0]?.size);
  });

const run = async (bench: Bench): Promise<Outcome> => {
  const servers = await bench.servers();
  const [ours, peer] = [
    await createLedger(servers, 'ledger-full'),
    await createLedger(servers, 'ledger-empty'),
  ];
  const { deliveries } = bench;
  const others = (deliveries * (1 - HOT_SHARE)) / MONTHS / LEAST_A_MONTH;
  const fill: Fill = {
    deliveries,
    accounts: Math.min(MOST_ACCOUNTS, Math.ceil(others)),
    hotShare: HOT_SHARE,
  };
  try {
    await withClient(peer.ownerUrl, (client) => fillOnePage(client, fill.accounts, PAGE));
    await withClient(ours.ownerUrl, (client) => fillLedger(client, fill, bench.say));
    const rows = await connected(ours, (full) => connected(peer, (empty) => compare(bench, full, empty)));
    return {
      rows,
      notes: [
        `The full ledger has ${deliveries} deliveries of ${fill.accounts} accounts in ${MONTHS} months, a fifth of them of one account (${await sizeOf(servers)}); the empty one has the same number of accounts, and one page of one of them.`,
        'Both on the same server, by the functions, one connection each. Every check finds the books correct.',
      ],
    };
  } finally {
    for (const name of ['ledger-full', 'ledger-empty']) await dropLedger(servers, name);
  }
};

export const ledgerScale: Benchmark = {
  name: 'ledger-scale',
  title: 'Ledger: what a year of deliveries makes of it, against an empty one',
  run,
};
