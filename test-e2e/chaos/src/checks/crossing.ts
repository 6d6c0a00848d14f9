import type { Evidence, Finding } from '@tds/audit';

/** Each is how many, of the given day or its month and of later ones: the run must have had all of them. */
const CROSSED = [
  {
    service: 'credits-ledger',
    what: 'accounts with free credits of both months',
    sql: `
      SELECT count(*)::int AS count FROM (
        SELECT FROM entries WHERE kind = 'monthly_grant' AND ref >= to_char($1::date, 'YYYY-MM')
        GROUP BY account_id HAVING count(DISTINCT ref) > 1) AS granted`,
  },
  {
    service: 'credits-ledger',
    what: 'reservations of the old month that were charged in the new one',
    sql: `
      SELECT count(*)::int AS count FROM entries AS e JOIN reservations AS r USING (ref, account_id)
      WHERE e.kind IN ('settle', 'charge') AND r.ref_month = date_trunc('month', $1::date) AND e.created_at >= ($1::date + 1)::timestamp AT TIME ZONE 'UTC'`,
  },
  {
    service: 'credits-ledger',
    what: 'keys that were charged on both days',
    sql: `
      SELECT count(*)::int AS count FROM (
        SELECT FROM key_days WHERE credits_charged > 0 AND day >= $1::date
        GROUP BY account_id, key_id HAVING count(*) > 1) AS charged`,
  },
  {
    service: 'transcript-fetcher',
    what: 'keys whose cold fetches were counted on both days',
    sql: `
      SELECT count(*)::int AS count FROM (
        SELECT FROM cold_counts WHERE scope LIKE 'key:%' AND day >= $1::date GROUP BY scope HAVING count(*) > 1) AS counted`,
  },
  {
    service: 'status',
    what: 'ten minutes of the new day that were observed',
    sql: `SELECT count(*)::int AS count FROM slots WHERE slot_at >= ($1::date + 1)::timestamp AT TIME ZONE 'UTC'`,
  },
] as const;

/** The other checks hold of a run that never saw the new month as well: this one says that it worked on both sides. */
export const checkCrossing = async ({ rows }: Evidence, begunOn: string): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const { service, what, sql } of CROSSED) {
    const [{ count } = { count: 0 }] = await rows<{ count: number }>(service, sql, [begunOn]);
    if (count > 0) continue;
    findings.push({
      invariant: 'I1',
      subject: `the end of ${begunOn}`,
      what,
      expected: 'some',
      found: 'none',
    });
  }
  return findings;
};
