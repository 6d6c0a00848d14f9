import { tierLimits } from '@tds/contracts';
import type { Servers } from '@tds/local';
import { withClient } from '@tds/servers';
import type { Bench, Benchmark, Outcome, Row } from '../benchmark.ts';
import { type Account, seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { startHelper } from '../support/helper.ts';
import { getRequest, openConnection } from '../support/http-connection.ts';
import { interleave } from '../support/rounds.ts';
import { median } from '../support/statistics.ts';

const ENTRIES = 1_000_000;
/** Deliveries are two entries and one line. */
const LINES = ENTRIES / 2;
const DAYS = 365;
const PAGE = 100;
/** Per round and side. */
const READS = 15;
const MOST_WARM_UP_READS = 200;
/** A page passes through three processes that have just started; all reads have to fit into the key's minute. */
const warmUpReads = (rounds: number): number =>
  Math.max(1, Math.min(MOST_WARM_UP_READS, tierLimits.paid.requestsPerMinute - (rounds + 1) * (READS + 1)));
const nobody: Account = { id: '', keyId: '', key: '' };
const OK = 200;
const MOST = 3;

type Client = Parameters<Parameters<typeof withClient>[1]>[0];
type Reading = {
  readonly path: string;
  readonly target: () => string;
  readonly bare: string;
  readonly values: () => readonly unknown[];
};

const ledgerUrl = ({ databases }: Servers): string => {
  const urls = databases['credits-ledger'];
  if (!urls) throw new Error('there is no database of credits-ledger');
  return urls.ownerUrl;
};

/** A year of one account: three keys, a hold and a line per delivery, and the days that go with them. */
async function fill(client: Client, { id, keyId }: Account): Promise<void> {
  const entries = `
    INSERT INTO entries
    SELECT $1, i, CASE i % 2 WHEN 0 THEN 'reserve' ELSE 'settle' END, 'bench-' || i / 2, 0, 0, 0, 0, 0, 0, 'transcript',
           CASE WHEN i % 8 < 6 THEN $2::uuid ELSE ('00000000-0000-4000-8000-00000000000' || i % 3)::uuid END, md5(i::text),
           now() - interval '${DAYS} days' * (1 - i::float / ${ENTRIES}),
           CASE i % 2 WHEN 1 THEN '{"video_id": "loadvideo01", "language": "en"}'::jsonb END,
           CASE i % 2 WHEN 1 THEN 1 + i / 2 END
    FROM generate_series(2, ${ENTRIES}) AS i`;
  await client.query(entries, [id, keyId]);
  await client.query('UPDATE accounts SET version = $2, lines = $3 WHERE account_id = $1', [
    id,
    ENTRIES,
    LINES,
  ]);
  await client.query(
    `INSERT INTO key_days
     SELECT account_id, (created_at AT TIME ZONE 'UTC')::date, key_id, 0, count(*) FILTER (WHERE kind = 'settle'),
            count(*) FILTER (WHERE kind = 'reserve'), count(*) FILTER (WHERE kind = 'settle'), 0,
            count(line)
     FROM entries WHERE account_id = $1 AND kind <> 'monthly_grant' GROUP BY 1, 2, 3`,
    [id],
  );
  await client.query(
    `INSERT INTO usage_days SELECT account_id, day, key_id, 9000, 8000, 10 FROM key_days WHERE account_id = $1`,
    [id],
  );
  await client.query('VACUUM ANALYZE entries, key_days, usage_days');
}

const anywhere = (): number => Math.floor(Math.random() * (LINES - 2 * PAGE));

const readings = ({ id, keyId }: Account): Reading[] => [
  {
    path: `usage: a page of ${PAGE} of ${ENTRIES} entries, at any offset`,
    target: () => `/v1/usage?resource=ledger&offset=${anywhere()}&as_of=${LINES}`,
    bare: 'SELECT * FROM entries WHERE account_id = $1 AND line <= $2 ORDER BY line DESC LIMIT $3',
    values: () => [id, LINES - anywhere(), PAGE],
  },
  {
    path: `usage: a page of ${PAGE} of one key's entries, at any offset`,
    target: () => `/v1/usage?resource=ledger&key_id=${keyId}&offset=${Math.floor(anywhere() / 2)}`,
    bare: `SELECT * FROM entries WHERE account_id = $1 AND key_id = $2 AND line IS NOT NULL
           ORDER BY line DESC LIMIT $3 OFFSET $4`,
    values: () => [id, keyId, PAGE, Math.floor(anywhere() / 2)],
  },
  {
    path: 'usage: a month of rollups',
    target: () => '/v1/usage',
    bare: `SELECT * FROM key_days JOIN usage_days USING (account_id, day, key_id)
           WHERE account_id = $1 AND day > current_date - 30 ORDER BY day, key_id`,
    values: () => [id],
  },
];

const pathOf = (index: number): string => `/bare/${index}`;

const medianMs = async (reads: number, read: () => Promise<void>): Promise<number> => {
  const took: number[] = [];
  for (let index = 0; index < reads; index += 1) {
    const start = performance.now();
    await read();
    took.push(performance.now() - start);
  }
  return median(took);
};

type Side = { readonly port: number; readonly target: () => string; readonly key?: string };

/** Milliseconds per answer: the median of reads one after the other on one connection. */
async function measure({ port, target, key }: Side, reads = READS): Promise<number> {
  const connection = await openConnection(port);
  const read = async () => {
    const { status, head } = await connection.send(getRequest(port, target(), key), false);
    if (status !== OK) throw new Error(head);
  };
  try {
    await read();
    return await medianMs(reads, read);
  } finally {
    connection.close();
  }
}

const run = async (bench: Bench): Promise<Outcome> => {
  const system = await startBenchSystem(bench);
  const bare = await startHelper('bare-query');
  try {
    const servers = await bench.servers();
    const databaseUrl = ledgerUrl(servers);
    const accounts = await seedAccounts(servers, 'paid', readings(nobody).length);
    const queries = Object.fromEntries(
      readings(nobody).map((reading, index) => [pathOf(index), reading.bare]),
    );
    const barePort = await bare.ask<number>('listen', { databaseUrl, queries });
    const rows: Row[] = [];
    for (const [index, account] of accounts.entries()) {
      await withClient(databaseUrl, (client) => fill(client, account));
      const { path, target, values } = readings(account)[index] as Reading;
      const bareTarget = () => `${pathOf(index)}?values=${encodeURIComponent(JSON.stringify(values()))}`;
      const ours = { port: system.port, target, key: account.key };
      const peer = { port: barePort, target: bareTarget };
      for (const side of [ours, peer]) await measure(side, warmUpReads(bench.rounds));
      const runs = await interleave(bench.rounds, { ours: () => measure(ours), peer: () => measure(peer) });
      rows.push({ path, unit: 'ms', ours: runs.ours, peer: runs.peer, goal: { most: MOST } });
    }
    return {
      rows,
      notes: [
        `Medians of ${READS} answers one after the other. Ours: key, limits, gateway, bus, ledger, ${ENTRIES} entries per account. The peer: Express, the indexed query on one connection, and its rows as JSON; no credential, no limit, no record.`,
      ],
    };
  } finally {
    await bare.stop();
    await system.stop();
  }
};

export const usagePages: Benchmark = {
  name: 'usage',
  title:
    'Pages of a ledger of a million entries and a month of rollups, against Express with the bare indexed query',
  run,
};
