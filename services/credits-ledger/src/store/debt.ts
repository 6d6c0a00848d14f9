import type { creditsLedger, RequestOf } from '@tds/contracts';
import type { LedgerAnswer, ReserveOutcome } from '../domain/ledger-answer.ts';
import type { Sql } from './database.ts';
import { onlyAnswer } from './ledger-statements.ts';

export type Charge = RequestOf<typeof creditsLedger.chargeCredits>;

export const chargeByRef = (sql: Sql, given: Charge): Promise<LedgerAnswer<ReserveOutcome>> => {
  const { accountId: account_id, ref, amount, keyId: key_id, limitId: limit_id } = given;
  const { requestId: request_id, reason, subject } = given;
  const request = { account_id, ref, amount, key_id, limit_id, request_id, reason, subject };
  return onlyAnswer(sql.$queryRaw`SELECT * FROM charge_by_ref(${JSON.stringify(request)}::jsonb)`);
};

export type Dispute = RequestOf<typeof creditsLedger.disputeCredits> & { readonly requestId: string };

export const disputeCredits = (
  sql: Sql,
  { accountId, ref, amount, requestId }: Dispute,
): Promise<LedgerAnswer<'disputed' | 'conflict'>> =>
  onlyAnswer(
    sql.$queryRaw`SELECT * FROM dispute_credits(${accountId}::uuid, ${ref}, ${amount}::integer, ${requestId})`,
  );
