import type { LedgerAnswer } from '../domain/ledger-answer.ts';
import type { Db } from './database.ts';
import { type AnswerRow, toAnswer } from './ledger-statements.ts';

type Outcome = 'granted' | 'repeated' | 'closed';

/** One statement and one commit: the next accounts after the given one, in the order of their ids. */
export async function grantOutageBatch(
  db: Db,
  day: string,
  after: string,
  limit: number,
): Promise<{ answers: LedgerAnswer<Outcome>[]; lastAccount: string | null }> {
  const rows = await db.$queryRaw<AnswerRow<Outcome>[]>`
    SELECT * FROM grant_outage_credits(${day}::date, ${after}::uuid, ${limit}::integer) ORDER BY item`;
  return {
    answers: rows.map((row) =>
      row.outcome === 'busy' ? { outcome: 'busy', hasEvents: false, balance: null } : toAnswer(row),
    ),
    lastAccount: rows.at(-1)?.account_id ?? null,
  };
}
