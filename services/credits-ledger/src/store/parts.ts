import type { creditsLedger, RequestOf } from '@tds/contracts';
import type { PartsAnswer, ReserveOutcome, ResolveOutcome } from '../domain/ledger-answer.ts';
import type { Sql } from './database.ts';
import { type AnswerRow, toAnswer } from './ledger-statements.ts';

/** A row of the SQL type `parts_answer`. */
type PartsRow<Outcome extends string> = AnswerRow<Outcome> & {
  readonly charged: number[];
  readonly remaining: number;
};

async function only<Outcome extends string>(
  rows: Promise<PartsRow<Outcome>[]>,
): Promise<PartsAnswer<Outcome>> {
  const [row] = await rows;
  if (!row) throw new Error('the ledger did not answer');
  return { ...toAnswer(row), charged: row.charged, remaining: row.remaining };
}

export type ReserveInParts = RequestOf<typeof creditsLedger.reserveInParts>;

export const reserveInParts = (sql: Sql, given: ReserveInParts): Promise<PartsAnswer<ReserveOutcome>> => {
  const { accountId: account_id, ref, unit, parts, keyId: key_id, limitId: limit_id } = given;
  const { dailyCreditCap: daily_cap, requestId: request_id, reason, subject } = given;
  const request = {
    ...{ account_id, ref, unit, parts, key_id, limit_id },
    ...{ daily_cap, request_id, reason, subject },
  };
  return only(sql.$queryRaw`SELECT * FROM reserve_in_parts(${JSON.stringify(request)}::jsonb)`);
};

type PartsOfRef = {
  readonly ref: string;
  /** Null is all that are left. */
  readonly parts: readonly number[] | null;
  readonly requestId: string;
};

export const settleParts = (
  sql: Sql,
  { ref, parts, requestId }: PartsOfRef,
): Promise<PartsAnswer<ResolveOutcome | 'conflict'>> =>
  only(sql.$queryRaw`SELECT * FROM settle_parts(${ref}, ${parts}::smallint[], ${requestId})`);

export const releaseRest = (
  sql: Sql,
  { ref, requestId }: Omit<PartsOfRef, 'parts'>,
): Promise<PartsAnswer<ResolveOutcome | 'conflict'>> =>
  only(sql.$queryRaw`SELECT * FROM release_rest(${ref}, ${requestId})`);
