import type { BookCheck } from './check.ts';

type Given = { account_id: string; day: string; credits: number; times: number; due: number };

/** What was given for each day, and a tenth of what the day had cost. */
const GIVEN = `
  WITH given AS (
    SELECT account_id, right(ref, 10)::date AS day, sum(purchased_delta)::int AS credits, count(*)::int AS times
    FROM entries WHERE kind = 'grant' AND reason = 'outage' GROUP BY account_id, ref)
  SELECT account_id, day::text, credits, times, due
  FROM given CROSS JOIN LATERAL (
    SELECT (coalesce(sum(credits_charged), 0) / 10)::int AS due FROM key_days AS k
    WHERE k.account_id = given.account_id AND k.day = given.day) AS charged`;
const OUTAGES = 'SELECT day::text FROM judged_days WHERE is_outage AND day = ANY ($1::date[])';

export const outagesCheck: BookCheck = {
  invariant: 'I11',
  promise: 'a day of outage is paid back once to each account, with a tenth of what it cost',
  look: async ({ rows }) => {
    const given = await rows<Given>('credits-ledger', GIVEN);
    const days = [...new Set(given.map(({ day }) => day))];
    const outages = new Set((await rows<{ day: string }>('status', OUTAGES, [days])).map(({ day }) => day));
    const subjectOf = ({ account_id, day }: Given) => `account ${account_id} on ${day}`;
    return [
      ...given
        .filter(({ times, credits, due }) => times !== 1 || credits !== due)
        .map((one) => ({
          subject: subjectOf(one),
          what: 'credits given for a day of outage',
          expected: `${one.due}, once`,
          found: `${one.credits}, in ${one.times}`,
        })),
      ...given
        .filter(({ day }) => !outages.has(day))
        .map((one) => ({
          subject: subjectOf(one),
          what: 'the day that credits were given for',
          expected: 'judged an outage',
          found: 'not judged one',
        })),
    ];
  },
};
