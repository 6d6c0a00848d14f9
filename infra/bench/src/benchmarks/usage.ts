import { tierLimits } from '@tds/contracts';
import { withClient } from '@tds/servers';
import { type Benchmark, measure, median, type Row } from '../benchmark.ts';
import { type Account, seedAccounts } from '../support/accounts.ts';
import { startBenchSystem } from '../support/bench-system.ts';
import { type Client, ownerUrl } from '../support/databases.ts';
import { startHelper } from '../support/helper.ts';
import { timeEach } from '../support/load.ts';

const ENTRIES = 1_000_000;
/** A delivery is two entries and one line. */
const LINES = ENTRIES / 2;
const DAYS = 365;
const PAGE = 100;
/** Per round and side. */
const READS = 15;
/** Warms up three processes that have just started, by the key of another account; all readings must fit into the key's minute. */
const WARM_UP_READS = Math.floor(tierLimits.paid.requestsPerMinute / 3) - 1;
const MAX = 3;

type Reading = {
  readonly path: string;
  readonly target: () => string;
  readonly bare: string;
  readonly values: () => readonly unknown[];
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
  const counted = 'UPDATE accounts SET version = $2, lines = $3 WHERE account_id = $1';
  await client.query(counted, [id, ENTRIES, LINES]);
  await client.query(
    `INSERT INTO key_days (account_id, day, key_id, credits_charged, reserved, settled, lines)
     SELECT account_id, (created_at AT TIME ZONE 'UTC')::date, key_id, count(*) FILTER (WHERE kind = 'settle'),
            count(*) FILTER (WHERE kind = 'reserve'), count(*) FILTER (WHERE kind = 'settle'), count(line)
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

type Side = { readonly port: number; readonly target: () => string; readonly key?: string };

/** Milliseconds per answer: the median of reads one after the other, after one that does not count. */
const readOften = async ({ port, target, key }: Side, reads = READS): Promise<number> =>
  median((await timeEach(port, key, Array.from({ length: reads + 1 }, target))).slice(1));

export const benchmark: Benchmark = {
  title: 'Pages of a million entries, and a month of rollups, against Express with the bare indexed query',
  run: async (bench) => {
    await using system = await startBenchSystem(bench);
    await using bare = await startHelper('bare-server');
    const { servers } = bench;
    const databaseUrl = ownerUrl(servers, 'credits-ledger');
    const [owner, other] = (await seedAccounts(servers, 'paid', 2)) as [Account, Account];
    const [all, warmUp] = [readings(owner), readings(other)];
    const queries = Object.fromEntries(all.map(({ bare: query }, index) => [pathOf(index), query]));
    const barePort = await bare.ask<number>('queries', { databaseUrl, queries });
    const rows: Row[] = [];
    await withClient(databaseUrl, (client) => fill(client, owner));
    for (const [index, { path, target, values }] of all.entries()) {
      const bareTarget = () => `${pathOf(index)}?values=${encodeURIComponent(JSON.stringify(values()))}`;
      const ours = { port: system.port, target, key: owner.key };
      const peer = { port: barePort, target: bareTarget };
      const warm = { port: system.port, target: warmUp[index]?.target ?? target, key: other.key };
      for (const side of [warm, peer]) await readOften(side, WARM_UP_READS);
      const runs = await measure(bench, { ours: () => readOften(ours), peer: () => readOften(peer) });
      rows.push({ path, unit: 'ms', ...runs, goal: { most: MAX } });
    }
    return {
      rows,
      notes: [
        `Medians of ${READS} answers one after the other. Ours: key, limits, gateway, bus, ledger, ${ENTRIES} entries per account. The peer: Express, the indexed query on one connection, and its rows as JSON; no credential, no limit, no record.`,
      ],
    };
  },
};
