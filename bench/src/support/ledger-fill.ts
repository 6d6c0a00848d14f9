import type { withClient } from '@tds/servers';

type Client = Parameters<Parameters<typeof withClient>[1]>[0];

export type Fill = { readonly deliveries: number; readonly accounts: number; readonly hotShare: number };

export const MONTHS = 14;
const CREDITS = 2_000_000_000;
const FILLER = 'ledger-scale';

/** The first account has many deliveries, the others as few each. Rounded, so that all months of an account are alike. */
export const perMonth = ({ deliveries, accounts, hotShare }: Fill): { hot: number; other: number } => ({
  hot: Math.round((deliveries * hotShare) / MONTHS),
  other: Math.round((deliveries * (1 - hotShare)) / MONTHS / (accounts - 1)),
});

/** Accounts are numbered by the order of their ids; the first one is the hot one. */
const NUMBERED = `(
  SELECT account_id, CASE row_number() OVER (ORDER BY account_id) WHEN 1 THEN $2::int ELSE $3::int END AS each FROM accounts
) AS a`;

/**
 * Deliveries of one month as the functions would have booked them: $1 is the month, $2 and $3 how many each account has in it,
 * $4 how many months came before it. The version of an account was 2 before all of them, and its lines were 2.
 */
const DELIVERIES = `
  CREATE TEMP TABLE filling AS
  SELECT account_id, $4::bigint * each + j AS k, at,
         substr(time, 1, 8) || '-' || substr(time, 9) || '-7' || substr(random, 1, 3) || '-8' || substr(random, 4, 3) || '-'
           || substr(random, 7, 12) AS ref
  FROM ${NUMBERED}
  CROSS JOIN LATERAL generate_series(0, each - 1) AS j
  CROSS JOIN LATERAL (SELECT $1::timestamptz + interval '27 days' * j / each AS at) AS t
  CROSS JOIN LATERAL (
    SELECT lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') AS time, md5(account_id::text || $1 || j) AS random
  ) AS r`;

const RESERVATIONS = `
  INSERT INTO reservations (
    ref, account_id, amount, from_free, from_purchased, free_month, state, key_id, created_at, resolved_at, reason,
    request_id, subject, ref_month
  )
  SELECT ref, account_id, 1, 0, 1, to_char($1::date, 'YYYY-MM'), 'settled', account_id, at, at, 'transcript', ref,
         '{"video_id": "loadvideo01", "language": "en"}', month_of_ref(ref)
  FROM filling ORDER BY at, k`;
const ENTRIES = `
  INSERT INTO entries (
    account_id, version, kind, ref, free_delta, purchased_delta, reserved_delta, free_after, purchased_after, reserved_after,
    reason, key_id, request_id, created_at, subject, line, period
  )
  SELECT account_id, 3 + 2 * k + s, CASE s WHEN 0 THEN 'reserve' ELSE 'settle' END, ref, 0, s - 1, 1 - 2 * s, 100,
         ${CREDITS} - k - 1, 1 - s, 'transcript', account_id, ref, at,
         CASE s WHEN 1 THEN '{"video_id": "loadvideo01", "language": "en"}'::jsonb END, CASE s WHEN 1 THEN 3 + k END, $1::date
  FROM filling CROSS JOIN generate_series(0, 1) AS s ORDER BY at, k, s`;
const SEALS = `
  INSERT INTO entry_seals (account_id, version, hash, sealed_at, period)
  SELECT account_id, 3 + 2 * k + s, sha256(ref::bytea), at, $1::date
  FROM filling CROSS JOIN generate_series(0, 1) AS s ORDER BY at, k, s`;
const KEY_DAYS = `
  INSERT INTO key_days (account_id, day, key_id, credits_used, credits_charged, reserved, settled, lines)
  SELECT account_id, at::date, account_id, count(*), count(*), count(*), count(*), count(*) FROM filling GROUP BY 1, 2
  ON CONFLICT DO NOTHING`;
const ACCOUNT_MONTHS = `
  INSERT INTO account_months (account_id, period, lines_before)
  SELECT account_id, $1::date, min(k) + 2 FROM filling GROUP BY account_id ON CONFLICT DO NOTHING`;

/** Every account has been granted its month and its credits: two entries, which lie before all months here. */
export async function openAccounts(client: Client, accounts: number): Promise<void> {
  await client.query(
    `INSERT INTO accounts (account_id, free, purchased, free_month, version, lines, created_at)
     SELECT gen_random_uuid(), 100, ${CREDITS}, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM'), 2, 2, now() - interval '2 years'
     FROM generate_series(1, $1)`,
    [accounts],
  );
  await client.query(`
    INSERT INTO entries (
      account_id, version, kind, ref, free_delta, purchased_delta, reserved_delta, free_after, purchased_after, reserved_after,
      created_at, line, period
    )
    SELECT account_id, n, CASE n WHEN 1 THEN 'monthly_grant' ELSE 'grant' END, '${FILLER}', CASE n WHEN 1 THEN 100 ELSE 0 END,
           CASE n WHEN 2 THEN ${CREDITS} ELSE 0 END, 0, 100, CASE n WHEN 2 THEN ${CREDITS} ELSE 0 END, 0, created_at, n, '-infinity'
    FROM accounts CROSS JOIN generate_series(1, 2) AS n`);
}

/** What the functions would have left behind of all that was filled in: everything is sealed. */
async function closeBooks(client: Client): Promise<void> {
  await client.query(`
    UPDATE accounts AS a SET version = e.version, lines = e.line, purchased = e.purchased_after, period = e.period
    FROM (
      SELECT DISTINCT ON (account_id) * FROM entries WHERE kind IN ('settle', 'grant') ORDER BY account_id, version DESC
    ) AS e
    WHERE e.account_id = a.account_id`);
  await client.query(`
    INSERT INTO entry_seals SELECT account_id, version, sha256(ref::bytea), now(), period FROM entries WHERE version <= 2`);
  await client.query(`
    INSERT INTO seal_heads SELECT account_id, version, period, '\\x00', free, purchased, reserved FROM accounts`);
  await client.query('UPDATE sealing SET next_written_in = pg_current_xact_id()::text::bigint + 1');
  await client.query('VACUUM ANALYZE');
}

/** Opens accounts and books their deliveries of the last months, this one included. */
export async function fillLedger(client: Client, fill: Fill, say: (line: string) => void): Promise<void> {
  await openAccounts(client, fill.accounts);
  const { hot, other } = perMonth(fill);
  const { rows } = await client.query<{ month: string }>(
    `SELECT to_char(period_of(now()) - n * interval '1 month', 'YYYY-MM-01') AS month FROM generate_series(${MONTHS - 1}, 0, -1) AS n`,
  );
  for (const [before, { month }] of rows.entries()) {
    await client.query('SELECT open_month($1)', [month]);
    await client.query(DELIVERIES.replace('$1::timestamptz', `'${month}Z'::timestamptz`), [
      month,
      hot,
      other,
      before,
    ]);
    for (const statement of [RESERVATIONS, ENTRIES, SEALS, ACCOUNT_MONTHS])
      await client.query(statement, [month]);
    await client.query(KEY_DAYS);
    await client.query('DROP TABLE filling');
    say(`  ${month}: ${Math.round(((before + 1) * fill.deliveries) / MONTHS)} deliveries`);
  }
  await closeBooks(client);
}

/** As little as a page needs: this month's deliveries of the first account. */
export async function fillOnePage(client: Client, accounts: number, lines: number): Promise<void> {
  await openAccounts(client, accounts);
  const { rows } = await client.query<{ month: string }>(
    `SELECT to_char(period_of(now()), 'YYYY-MM-01') AS month`,
  );
  const month = rows[0]?.month ?? '';
  await client.query(DELIVERIES.replace('$1::timestamptz', `'${month}Z'::timestamptz`), [month, lines, 0, 0]);
  for (const statement of [RESERVATIONS, ENTRIES, SEALS, ACCOUNT_MONTHS])
    await client.query(statement, [month]);
  await client.query(KEY_DAYS);
  await client.query('DROP TABLE filling');
  await closeBooks(client);
}
