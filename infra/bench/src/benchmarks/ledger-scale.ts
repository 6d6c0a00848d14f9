import { newId } from '@tds/contracts';
import type { Servers } from '@tds/local';
import {
  type DatabaseUrls,
  ensureServiceDatabase,
  migrate,
  nameServiceDatabase,
  prismaDirsOf,
  withClient,
} from '@tds/servers';
import { checkNewBooks } from '../../../../services/credits-ledger/src/books/check-books.ts';
import { type Bench, type Benchmark, measure, median, type Row, repeat } from '../benchmark.ts';
import type { Client } from '../support/databases.ts';
import { type Fill, fillLedger, fillOnePage, MONTHS } from '../support/ledger-fill.ts';

const MOST = 1.3;
const MOST_ACCOUNTS = 20_000;
/** The fewest deliveries in a month of an account, except the hot one. */
const LEAST_A_MONTH = 4;
const HOT_SHARE = 0.2;
const PAGE = 50;
const BATCH = 16;
const PAIRS = 200;
const PAGES = 200;
const CHECKS = 20;
const WARM_UPS = 100;

type Ledger = { readonly app: Client; readonly owner: Client; readonly accounts: readonly string[] };
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
    ...{ unit: 1, parts: [1], coverage: 'all' },
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
    held.map(({ ref }) => ({ kind: 'settle', ref, parts: [1], request_id: 'bench' })),
  );
};

const page = async ({ app, accounts }: Ledger): Promise<void> => {
  const { rowCount } = await app.query({
    name: 'page',
    text: 'SELECT * FROM ledger_page($1, NULL, NULL, $2, 0, NULL)',
    values: [accounts[0], PAGE],
  });
  if (rowCount !== PAGE) throw new Error(`a page of ${rowCount} lines`);
};

/** The median milliseconds of `count` runs, one after the other. */
const timeOf = async (count: number, work: () => Promise<unknown>): Promise<number> =>
  median(
    await repeat(count, async () => {
      const startedAt = performance.now();
      await work();
      return performance.now() - startedAt;
    }),
  );

const checkNew = async ({ owner }: Ledger): Promise<void> => {
  const findings = await checkNewBooks(owner as never);
  if (findings.length > 0) throw new Error(`the books are off: ${JSON.stringify(findings[0])}`);
};

const measures: readonly { path: string; of: (ledger: Ledger) => Promise<number> }[] = [
  { path: 'a pair, reserve and settle', of: (ledger) => timeOf(PAIRS, () => pairs(ledger, 1)) },
  { path: `${BATCH} pairs in two calls`, of: (ledger) => timeOf(PAIRS / 2, () => pairs(ledger, BATCH)) },
  { path: `the newest page of ${PAGE} lines`, of: (ledger) => timeOf(PAGES, () => page(ledger)) },
  { path: 'the check of new entries', of: (ledger) => timeOf(CHECKS, () => checkNew(ledger)) },
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

const connected = <T>({ url, ownerUrl }: DatabaseUrls, use: (ledger: Ledger) => Promise<T>): Promise<T> =>
  withClient(url, (app) =>
    withClient(ownerUrl, async (owner) => {
      const text = 'SELECT account_id FROM accounts ORDER BY account_id';
      const { rows } = await owner.query<{ account_id: string }>(text);
      return use({ app, owner, accounts: rows.map(({ account_id }) => account_id) });
    }),
  );

const compare = async (bench: Bench, full: Ledger, empty: Ledger): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const { path, of } of measures) {
    for (const ledger of [full, empty]) {
      for (let index = 0; index < WARM_UPS; index += 1) await pairs(ledger, 1);
      await of(ledger);
    }
    const runs = await measure(bench, { ours: () => of(full), peer: () => of(empty) });
    const name = `ledger with ${bench.deliveries} deliveries: ${path}`;
    rows.push({ path: name, unit: 'ms', ...runs, goal: { most: MOST } });
  }
  return rows;
};

export const benchmark: Benchmark = {
  title: 'Ledger: a year of deliveries, against an empty one',
  run: async (bench) => {
    const { servers, deliveries } = bench;
    const full = await createLedger(servers, 'ledger-full');
    const empty = await createLedger(servers, 'ledger-empty');
    const others = Math.ceil((deliveries * (1 - HOT_SHARE)) / MONTHS / LEAST_A_MONTH);
    const fill: Fill = { deliveries, accounts: Math.min(MOST_ACCOUNTS, others), hotShare: HOT_SHARE };
    try {
      await withClient(empty.ownerUrl, (client) => fillOnePage(client, fill.accounts, PAGE));
      await withClient(full.ownerUrl, (client) => fillLedger(client, fill, bench.say));
      return {
        rows: await connected(full, (ours) => connected(empty, (peer) => compare(bench, ours, peer))),
        notes: [
          `The full ledger has ${deliveries} deliveries of ${fill.accounts} accounts in ${MONTHS} months, a fifth of them of one account; the empty one has the same number of accounts, and one page of one of them.`,
          'Both on the same server, by the functions, one connection each. Every check finds the books correct.',
        ],
      };
    } finally {
      for (const name of ['ledger-full', 'ledger-empty']) await dropLedger(servers, name);
    }
  },
};
