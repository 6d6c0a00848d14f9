import type { Sql } from '@tds/base';
import type { creditsLedger, FoundBlock, GrantedBlock, RequestOf } from '@tds/contracts';
import type { LedgerAnswer } from '../domain/replies.ts';
import { type LedgerAnswerRow, readAnswer, toAnswer } from './accounts.ts';
import { type Db, readValue } from './database.ts';

type WithRequestId = { readonly requestId: string };
export type GrantPurchasesRequest = RequestOf<typeof creditsLedger.grantPurchases> & WithRequestId;
type Purchase = GrantPurchasesRequest['purchases'][number] & WithRequestId;
export type Block = RequestOf<typeof creditsLedger.takeBackBlock> & WithRequestId;
export type CorrectBlockRequest = RequestOf<typeof creditsLedger.correctBlock> & WithRequestId;

export const grantPurchase = (
  db: Db,
  { accountId, ref, amount, requestId }: Purchase,
): Promise<LedgerAnswer<'granted' | 'closed' | 'conflict'>> =>
  readAnswer(
    db.$queryRaw`SELECT * FROM grant_purchase(
      p_account_id => ${accountId}::uuid, p_ref => ${ref}, p_amount => ${amount}::integer, p_request_id => ${requestId}
    )`,
  );

export const takeBackBlock = (
  db: Db,
  { accountId, ref, requestId }: Block,
): Promise<LedgerAnswer<'taken' | 'used' | 'in_debt' | 'unknown'>> =>
  readAnswer(
    db.$queryRaw`SELECT * FROM take_back_block(p_account_id => ${accountId}::uuid, p_ref => ${ref}, p_request_id => ${requestId})`,
  );

export const correctBlock = (
  db: Db,
  { accountId, ref, net, reason, requestId }: CorrectBlockRequest,
): Promise<LedgerAnswer<'corrected' | 'unknown'>> =>
  readAnswer(db.$queryRaw`
    SELECT * FROM correct_block(
      p_account_id => ${accountId}::uuid, p_ref => ${ref}, p_net => ${net}::integer, p_reason => ${reason}, p_request_id => ${requestId}
    )`);

const FIND_BLOCKS = `
  SELECT b.ref, b.account_id AS "accountId", b.amount, b.net, left_of_block(a, b) AS left, a.status = 'closed' AS "isClosed"
  FROM blocks AS b JOIN accounts AS a USING (account_id) WHERE b.ref = ANY ($1)`;

/** Leaves out unknown refs. */
export const findBlocks = (sql: Sql, refs: readonly string[]): Promise<FoundBlock[]> =>
  sql(FIND_BLOCKS, [refs]);

const LIST_GRANTED = `
  SELECT ref, account_id AS "accountId", granted_at::text AS "grantedAt" FROM blocks
  WHERE granted_at < clock_timestamp() - $1 * interval '1 millisecond'
    AND granted_at > clock_timestamp() - $2 * interval '1 millisecond' AND (granted_at, ref) > ($3::timestamptz, $4)
  ORDER BY granted_at, ref LIMIT $5`;

/** Ages are by the database's clock. Oldest first. */
export const readGrantedBlocks = (
  sql: Sql,
  { olderThanMs, youngerThanMs, after, limit }: RequestOf<typeof creditsLedger.listGrants>,
): Promise<GrantedBlock[]> =>
  sql(LIST_GRANTED, [olderThanMs, youngerThanMs, after?.grantedAt ?? '-infinity', after?.ref ?? '', limit]);

const SUM_SPENT =
  'SELECT coalesce(sum(credits_charged), 0)::integer AS value FROM key_days WHERE account_id = $1';

export const readSpending = (sql: Sql, accountId: string): Promise<number> =>
  readValue(sql(SUM_SPENT, [accountId]));

type OutageOutcome = 'granted' | 'repeated' | 'closed';

/** Grants the outage credits of the next accounts after `after`, in the order of their ids, in one commit. */
export async function grantOutageBatch(
  db: Db,
  day: string,
  after: string,
  limit: number,
): Promise<{ answers: LedgerAnswer<OutageOutcome>[]; lastAccount: string | null }> {
  const rows = await db.$queryRaw<LedgerAnswerRow<OutageOutcome>[]>`
    SELECT * FROM grant_outage_credits(p_day => ${day}::date, p_after => ${after}::uuid, p_limit => ${limit}::integer)`;
  return { answers: rows.map(toAnswer), lastAccount: rows.at(-1)?.account_id ?? null };
}
