import { askAll, type BookCheck, type Breach, type Evidence } from './evidence.ts';

type OutageCredit = { account_id: string; day: string; credits: number; times: number; due: number };

/** What was given for each day, and a tenth of what the day had cost. */
const GIVEN = `
  WITH given AS (
    SELECT account_id, right(ref, 10)::date AS day, sum(purchased_delta)::int AS credits, count(*)::int AS times
    FROM entries WHERE kind = 'grant' AND reason = 'outage' GROUP BY account_id, ref)
  SELECT account_id, day::text, credits, times, due
  FROM given CROSS JOIN LATERAL (
    SELECT (coalesce(sum(credits_charged), 0) / 10)::int AS due FROM key_days AS k
    WHERE k.account_id = given.account_id AND k.day = given.day) AS charged`;
const OUTAGES = 'SELECT day::text FROM evaluated_days WHERE is_outage AND day = ANY ($1::date[])';

/** A ledger that is away grants when it is back. */
const GRANTED_WITHIN_SECONDS = 1_800;
const EVALUATED = `
  SELECT day::text FROM evaluated_days WHERE is_outage AND evaluated_at <= now() - $1 * interval '1 second'`;
/** Of accounts that were charged on such a day and that a grant could reach. */
const UNPAID = `
  SELECT format('account %s on %s', k.account_id, k.day) AS subject, (sum(k.credits_charged) / 10)::int::text AS expected
  FROM key_days AS k JOIN accounts AS a ON a.account_id = k.account_id AND a.status <> 'closed'
  WHERE k.day = ANY ($1::date[]) GROUP BY k.account_id, k.day
  HAVING (sum(k.credits_charged) / 10)::int > 0 AND NOT EXISTS (
    SELECT FROM entries WHERE entries.account_id = k.account_id AND entries.kind = 'grant'
      AND entries.ref = format('outage:%s:%s', k.account_id, k.day))
  LIMIT 50`;
/** A day that was found to be an outage stays one; any other day follows its slots, which come late now and then. */
const MISJUDGED = `
  SELECT j.day::text AS id, format('%s of %s slots, an outage: %s', j.outage_slots, j.observed_slots, j.is_outage) AS found
  FROM evaluated_days AS j CROSS JOIN LATERAL (
    SELECT count(*)::int AS observed, (count(*) FILTER (WHERE NOT is_healthy))::int AS failed FROM slots
    WHERE (slot_at AT TIME ZONE 'UTC')::date = j.day) AS s
  WHERE j.day > (now() AT TIME ZONE 'UTC')::date - 89 AND j.evaluated_at <= now() - $1 * interval '1 second'
    AND (j.is_outage <> (j.outage_slots >= 24)
      OR NOT j.is_outage AND (j.observed_slots, j.outage_slots) IS DISTINCT FROM (s.observed, s.failed))
  LIMIT 50`;

const checkGrants = async ({ rows }: Evidence): Promise<Breach[]> => {
  const grants = await rows<OutageCredit>('credits-ledger', GIVEN);
  const days = [...new Set(grants.map(({ day }) => day))];
  const outages = new Set((await rows<{ day: string }>('status', OUTAGES, [days])).map(({ day }) => day));
  const subjectOf = ({ account_id, day }: OutageCredit) => `account ${account_id} on ${day}`;
  const wrong = grants.filter(({ times, credits, due }) => times !== 1 || credits !== due);
  const undue = grants.filter(({ day }) => !outages.has(day));
  return [
    ...wrong.map((one) => ({
      ...{ subject: subjectOf(one), what: 'credits given for a day of outage' },
      ...{ expected: `${one.due}, once`, found: `${one.credits}, in ${one.times}` },
    })),
    ...undue.map((one) => ({
      ...{ subject: subjectOf(one), what: 'the day that credits were given for' },
      ...{ expected: 'found to be an outage', found: 'not evaluated one' },
    })),
  ];
};

/** Evaluated days from both sides: they agree with their slots, and their accounts were paid. */
const checkEvaluated = async (evidence: Evidence): Promise<Breach[]> => {
  const grace = evidence.atRest ? 0 : GRANTED_WITHIN_SECONDS;
  const evaluated = await evidence.rows<{ day: string }>('status', EVALUATED, [grace]);
  return askAll(evidence, [
    {
      ...{ service: 'credits-ledger', sql: UNPAID, values: [evaluated.map(({ day }) => day)] },
      ...{ what: 'credits for a day that was found to be an outage', found: 'none' },
    },
    {
      ...{ service: 'status', sql: MISJUDGED, values: [grace], subject: 'day' },
      ...{ what: 'how a day was evaluated', expected: 'as its slots say' },
    },
  ]);
};

export const outagesCheck: BookCheck = {
  invariant: 'I11',
  promise: 'a day of outage is paid back once to each account, with a tenth of what it cost',
  check: async (evidence) => [...(await checkGrants(evidence)), ...(await checkEvaluated(evidence))],
};
