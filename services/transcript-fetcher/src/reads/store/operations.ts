import { randomUUID } from 'node:crypto';
import { pick, type Sql } from '@tds/base';
import type { StoredFormat } from '@tds/contracts';
import type { ServiceErrorData } from '@tds/errors';
import type { Settlement, SettlementItem } from '../../credits/index.ts';
import type { Operation, OperationState } from '../../domain/operation.ts';
import type { Database } from '../../store/database.ts';

export async function findOperation(db: Database, id: string): Promise<Operation | null> {
  const row = await db.operation.findUnique({ where: { id } });
  return (
    row && {
      ...pick(row, 'id', 'accountId', 'videoId', 'language', 'fallback', 'charge'),
      ...pick(row, 'transcriptId', 'isFallback', 'createdAt'),
      format: row.format as StoredFormat,
      state: row.state as OperationState,
      translation: row.translation as Operation['translation'],
      error: row.error as ServiceErrorData | null,
      holdsCredit: row.state === 'failed' && row.ref !== null && !row.released,
    }
  );
}

const FAIL =
  'SELECT fail_read(p_id => $1, p_error => $2, p_scopes => $3, p_day => $4, p_settlement => $5) AS "isEnded"';

type FailedRead = {
  readonly error: ServiceErrorData;
  /** The counters of a read that does not begin. */
  readonly counters: { readonly scopes: readonly { readonly name: string }[]; readonly day: string };
  readonly settlementId: string | null;
};

/** Fails a read that has not begun; saves a settlement if the ledger may hold its credit. */
export async function failRead(
  sql: Sql,
  id: string,
  { error, counters, settlementId }: FailedRead,
): Promise<void> {
  const scopes = counters.scopes.map(({ name }) => name);
  await sql(FAIL, [id, JSON.stringify(error), scopes, counters.day, settlementId]);
}

const CLAIM_REPORT = 'SELECT claim_charge_report($1, $2) AS "isReported"';

/**
 * Returns true for exactly one request, whose answer reports the operation's charge in X-Credits-Charged. A repeat of that request gets
 * true again, since an answer may be lost. A waived request gets false.
 */
export const claimChargeReport = async (sql: Sql, id: string, requestId: string): Promise<boolean> =>
  (await sql<{ isReported: boolean }>(CLAIM_REPORT, [id, requestId]))[0]?.isReported === true;

type WaivedRequest = Pick<Operation, 'id' | 'accountId' | 'videoId' | 'language' | 'fallback' | 'format'> & {
  readonly keyId: string;
};

const WAIVE = 'SELECT waive_request(p_request => $1, p_error => $2, p_settlement => $3) AS reservations';

/** Waives a request, so that it costs nothing even if it arrives later. Returns the settlement for a charge that is void now. */
export async function waive(
  sql: Sql,
  { id, accountId, keyId, videoId, ...selection }: WaivedRequest,
  error: ServiceErrorData,
): Promise<Settlement> {
  const { language, fallback, format } = selection;
  const request = { id, account_id: accountId, key_id: keyId, video_id: videoId, language, fallback, format };
  const settlementId = randomUUID();
  const values = [JSON.stringify(request), JSON.stringify(error), settlementId];
  const [row] = await sql<{ reservations: SettlementItem[] | null }>(WAIVE, values);
  return { id: settlementId, reservations: row?.reservations ?? [] };
}

const ABANDONED = `
  SELECT id, account_id AS "accountId", key_id AS "keyId" FROM operations
  WHERE state = 'opened' AND created_at < now() - $1 * interval '1 second' ORDER BY created_at LIMIT 200`;

/** Reads whose process died before they began. */
export const abandonedReads = (
  sql: Sql,
  olderThanSeconds: number,
): Promise<{ id: string; accountId: string; keyId: string }[]> => sql(ABANDONED, [olderThanSeconds]);
