import type { Client } from '../support/databases.ts';
import { withoutIndexes } from './without-indexes.ts';

export type Fill = { readonly deliveries: number; readonly accounts: number; readonly hotShare: number };
/** Deliveries of an account in a month. */
type MonthlyDeliveries = { readonly hot: number; readonly other: number };

const MONTHS = 14;
const CREDITS = 2_000_000_000;
const BEFORE_ALL = '-infinity';
const THIS_MONTH = `SELECT to_char(period_of(now()) - n * interval '1 month', 'YYYY-MM-01') AS month`;
/** With the server's own settings a month would be sorted in many small parts. */
const MEMORY = `SET work_mem = '256MB'; SET maintenance_work_mem = '512MB'`;

/** The first account has many deliveries, the others few. Rounded, so that all months of an account are alike. */
const perMonth = ({ deliveries, accounts, hotShare }: Fill): MonthlyDeliveries => ({
  hot: Math.round((deliveries * hotShare) / MONTHS),
  other: Math.round((deliveries * (1 - hotShare)) / MONTHS / (accounts - 1)),
});

/**
 * Deliveries of one month as the functions would have booked them: $1 is its first day, $2 how many the hot account has in it,
 * which is the first one by its id, $3 how many the others have. Of this month, those until now. Accounts take turns.
 */
const DELIVERIES = `
  CREATE TEMP TABLE filling AS
  SELECT account_id, version, lines, purchased, j, at,
         substr(time, 1, 8) || '-' || substr(time, 9) || '-7' || substr(random, 1, 3) || '-8' || substr(random, 4, 3) || '-'
           || substr(random, 7, 12) AS ref
  FROM (
    SELECT account_id, version, lines, purchased, random() AS phase,
           CASE row_number() OVER (ORDER BY account_id) WHEN 1 THEN $2::int ELSE $3::int END AS each
    FROM accounts
  ) AS a
  CROSS JOIN (SELECT $1::timestamp AT TIME ZONE 'UTC' AS month) AS m
  CROSS JOIN LATERAL generate_series(0, each - 1) AS j
  CROSS JOIN LATERAL (SELECT month + least(interval '27 days', now() - month) * ((j + phase) / each) AS at) AS t
  CROSS JOIN LATERAL (
    SELECT lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') AS time, md5(account_id::text || month || j) AS random
  ) AS r`;

const RESERVATIONS = `
  INSERT INTO reservations (
    ref, account_id, unit, items, charged, released, refunded, held_free, held_purchased, free_month, key_id, created_at,
    resolved_at, reason, request_id, subject, ref_month
  )
  SELECT ref, account_id, 1, '1', '1', '', '', 0, 0, to_char($1::date, 'YYYY-MM'), account_id, at, at, 'transcript', ref,
         '{"video_id": "loadvideo01", "language": "en"}', month_of_ref(ref)
  FROM filling ORDER BY at, ref`;
const ENTRIES = `
  INSERT INTO entries (
    account_id, version, kind, ref, free_delta, purchased_delta, reserved_delta, free_after, purchased_after, reserved_after,
    reason, key_id, request_id, created_at, subject, line, items, period
  )
  SELECT account_id, version + 2 * j + s + 1, CASE s WHEN 0 THEN 'reserve' ELSE 'settle' END, ref, 0, s - 1, 1 - 2 * s, 100,
         purchased - j - 1, 1 - s, 'transcript', account_id, ref, at,
         CASE s WHEN 1 THEN '{"video_id": "loadvideo01", "language": "en"}'::jsonb END,
         CASE s WHEN 1 THEN lines + j + 1 END, CASE s WHEN 1 THEN '{1}'::smallint[] ELSE '{}' END, $1::date
  FROM filling CROSS JOIN generate_series(0, 1) AS s ORDER BY at, ref, s`;
/** The chain of each account goes on from its head. */
const SEALS = `
  INSERT INTO entry_seals (account_id, version, hash, sealed_at, period)
  SELECT account_id, version, hash, at, $1::date
  FROM (
    SELECT e.account_id, e.version, e.created_at AS at, seal_of(
             CASE WHEN e.version = h.version + 1 THEN h.hash ELSE '' END || canonical_entry(e)
           ) OVER (PARTITION BY e.account_id ORDER BY e.version) AS hash
    FROM entries AS e JOIN seal_heads AS h USING (account_id) WHERE e.period = $1::date
  ) AS s
  ORDER BY at, account_id, version`;
const ACCOUNT_MONTHS = `
  INSERT INTO account_months (account_id, period, lines_before)
  SELECT account_id, $1::date, min(lines) FROM filling GROUP BY account_id`;
const KEY_DAYS = `
  INSERT INTO key_days (account_id, day, key_id, credits_used, credits_charged, reserved, settled, lines)
  SELECT account_id, day_of(at), account_id, count(*), count(*), count(*), count(*), count(*) FROM filling GROUP BY 1, 2`;
const ACCOUNTS = `
  UPDATE accounts AS a SET version = version + 2 * n, lines = lines + n, purchased = purchased - n, period = $1::date
  FROM (SELECT account_id, count(*) AS n FROM filling GROUP BY account_id) AS f WHERE f.account_id = a.account_id`;
const HEADS = `
  UPDATE seal_heads AS h
  SET version = a.version, period = s.period, hash = s.hash, free = a.free, purchased = a.purchased, reserved = a.reserved
  FROM accounts AS a JOIN entry_seals AS s USING (account_id, version)
  WHERE s.period = $1::date AND h.account_id = a.account_id`;

/** Every account has been granted its month and its credits: two entries, which lie before all months here. */
async function openAccounts(client: Client, accounts: number): Promise<void> {
  await client.query(MEMORY);
  await client.query(
    `INSERT INTO accounts (account_id, free, purchased, free_month, version, lines, created_at)
     SELECT gen_random_uuid(), 100, ${CREDITS}, month_of(now()), 2, 2, now() - interval '2 years' FROM generate_series(1, $1)`,
    [accounts],
  );
  await client.query(`
    INSERT INTO entries (
      account_id, version, kind, ref, free_delta, purchased_delta, reserved_delta, free_after, purchased_after, reserved_after,
      created_at, line, period
    )
    SELECT account_id, n, CASE n WHEN 1 THEN 'monthly_grant' ELSE 'grant' END,
           CASE n WHEN 1 THEN free_month ELSE 'a year' END, CASE n WHEN 1 THEN 100 ELSE 0 END,
           CASE n WHEN 2 THEN ${CREDITS} ELSE 0 END, 0, 100, CASE n WHEN 2 THEN ${CREDITS} ELSE 0 END, 0, created_at, n,
           '${BEFORE_ALL}'
    FROM accounts CROSS JOIN generate_series(1, 2) AS n`);
  await client.query(`INSERT INTO seal_heads SELECT account_id, 0, '${BEFORE_ALL}', '', 0, 0, 0 FROM accounts`);
  for (const statement of [SEALS, HEADS]) await client.query(statement, [BEFORE_ALL]);
}

/** Marks every entry as sealed, and analyzes the tables. */
async function closeBooks(client: Client): Promise<void> {
  await client.query(
    'UPDATE sealing SET next_written_in = pg_snapshot_xmin(pg_current_snapshot())::text::bigint',
  );
  await client.query('VACUUM ANALYZE');
}

async function fillMonth(
  client: Client,
  month: string,
  { hot, other }: MonthlyDeliveries,
  isPast: boolean,
): Promise<void> {
  await client.query('SELECT open_month($1)', [month]);
  await client.query(DELIVERIES, [month, hot, other]);
  for (const [name, statement] of Object.entries({
    reservations: RESERVATIONS,
    entries: ENTRIES,
    entry_seals: SEALS,
  })) {
    const table = `months.${name}_${month.slice(0, 7).replace('-', '_')}`;
    const insert = () => client.query(statement, [month]);
    // The current month keeps its indexes during the inserts, so that their pages have room for more rows.
    await (isPast ? withoutIndexes(client, table, insert) : insert());
    await client.query(`VACUUM ANALYZE ${table}`);
  }
  for (const statement of [ACCOUNT_MONTHS, ACCOUNTS, HEADS]) await client.query(statement, [month]);
  await client.query(KEY_DAYS);
  await client.query('DROP TABLE filling');
}

/** Opens accounts and books their deliveries of the last months, this one included. */
export async function fillLedger(client: Client, fill: Fill, log: (line: string) => void): Promise<void> {
  await openAccounts(client, fill.accounts);
  const { rows } = await client.query<{ month: string }>(
    `${THIS_MONTH} FROM generate_series(${MONTHS - 1}, 0, -1) AS n`,
  );
  for (const [before, { month }] of rows.entries()) {
    await fillMonth(client, month, perMonth(fill), before < MONTHS - 1);
    log(`  ${month}: ${Math.round(((before + 1) * fill.deliveries) / MONTHS)} deliveries`);
  }
  await closeBooks(client);
}

/** As little as a page needs: this month's deliveries of the first account. Earlier months are empty. */
export async function fillOnePage(client: Client, accounts: number, lines: number): Promise<void> {
  await openAccounts(client, accounts);
  const { rows } = await client.query<{ month: string }>(
    `${THIS_MONTH} FROM generate_series(0, ${MONTHS - 1}) AS n`,
  );
  for (const { month } of rows.toReversed()) await client.query('SELECT open_month($1)', [month]);
  await fillMonth(client, rows[0]?.month ?? '', { hot: lines, other: 0 }, false);
  await closeBooks(client);
}
