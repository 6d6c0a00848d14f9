import type { creditsLedger, RequestOf } from '@tds/contracts';
import type { ChargeOutcome, LedgerAnswer, RefundOutcome } from '../domain/ledger-answer.ts';
import type { Db } from './database.ts';
import { type AnswerRow, toAnswer } from './ledger-statements.ts';

type PartsRow<Outcome extends string> = AnswerRow<Outcome> & { readonly charged: number[] | null };
type ChargedAnswer<Outcome extends string> = LedgerAnswer<Outcome> & { readonly charged: number[] };

async function only<Outcome extends string>(
  rows: Promise<PartsRow<Outcome>[]>,
): Promise<ChargedAnswer<Outcome>> {
  const [row] = await rows;
  if (!row) throw new Error('the ledger did not answer');
  return { ...toAnswer(row), charged: row.charged ?? [] };
}

export type Charge = RequestOf<typeof creditsLedger.chargeParts>;

/** Of parts that were delivered; whether they were held or not. */
export const chargeParts = (db: Db, given: Charge): Promise<ChargedAnswer<ChargeOutcome>> => {
  const { accountId: account_id, ref, unit, parts, keyId: key_id, limitId: limit_id } = given;
  const { requestId: request_id, reason, subject, jobId: job_id } = given;
  const request = { account_id, ref, unit, parts, key_id, limit_id, request_id, reason, subject, job_id };
  return only(db.$queryRaw`SELECT * FROM charge_parts(${JSON.stringify(request)}::jsonb)`);
};

export type Refund = RequestOf<typeof creditsLedger.refundParts> & { readonly requestId: string };

export const refundParts = (
  db: Db,
  { ref, parts, requestId }: Refund,
): Promise<ChargedAnswer<RefundOutcome>> =>
  only(db.$queryRaw`SELECT * FROM refund_parts(${ref}, ${parts}::smallint[], ${requestId})`);
