import type { Evidence, Finding } from '@tds/audit';
import type { CallRecord, History } from '../history.ts';

/** What jobs are charged, their answers do not tell: the books compare it with their rows. */
const CHARGED = `
  SELECT account_id, coalesce(sum(-free_delta - purchased_delta - reserved_delta), 0)::int AS charged
  FROM entries WHERE kind IN ('settle', 'charge', 'refund') AND job_id IS NULL GROUP BY 1`;
const CHARGED_OPERATIONS = 'SELECT id FROM operations WHERE charge > 0';

/** Answers that may have been lost, or that came before the delivery was made. Never a 5xx: that costs nothing. */
const mayHideACharge = ({ outcome, status, kind }: CallRecord): boolean =>
  ['cold', 'special', 'poll', 'search'].includes(kind) && (outcome === 'unknown' || status === 202);

const countBy = <T>(items: readonly T[], keyOf: (item: T) => string, amountOf: (item: T) => number) => {
  const sums = new Map<string, number>();
  for (const item of items) sums.set(keyOf(item), (sums.get(keyOf(item)) ?? 0) + amountOf(item));
  return sums;
};

/** I2, as customers see it: the charges that answers reported are those of the ledger, but for lost answers. */
export const checkReportedCharges = async (
  { rows }: Evidence,
  { calls }: Pick<History, 'calls'>,
): Promise<Finding[]> => {
  const charged = await rows<{ account_id: string; charged: number }>('credits-ledger', CHARGED);
  const inLedger = new Map(charged.map((row) => [row.account_id, row.charged]));
  const mine = calls.filter(({ accountId }) => accountId !== null);
  const accountOf = ({ accountId }: CallRecord) => String(accountId);
  const reported = countBy(mine, accountOf, (call) => call.charged);
  const hidden = countBy(mine.filter(mayHideACharge), accountOf, () => 1);
  return [...new Set([...reported.keys(), ...inLedger.keys()])].flatMap((account) => {
    const [sum, most] = [reported.get(account) ?? 0, (reported.get(account) ?? 0) + (hidden.get(account) ?? 0)];
    const found = inLedger.get(account) ?? 0;
    if (found >= sum && found <= most) return [];
    const expected = most === sum ? `${sum} as reported` : `${sum} to ${most}, as reported`;
    return [
      {
        invariant: 'I2',
        subject: `account ${account}`,
        what: 'credits charged',
        expected,
        found: `${found}`,
      },
    ];
  });
};

/** Calls whose answer reported a failure, while their operation was charged to another request, whose answer reported that. */
export const failuresPaidByOthers = async (
  { rows }: Evidence,
  { calls }: Pick<History, 'calls'>,
): Promise<CallRecord[]> => {
  const paid = new Set(
    (await rows<{ id: string }>('transcript-fetcher', CHARGED_OPERATIONS)).map(({ id }) => id),
  );
  return calls.filter(
    ({ outcome, requestId }) => outcome === 'failed' && requestId !== null && paid.has(requestId),
  );
};
