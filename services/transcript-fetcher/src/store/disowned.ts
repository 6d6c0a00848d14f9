import type { ServiceErrorData } from '@tds/contracts';
import type { Tx } from './database.ts';
import type { NewOperation } from './operations.ts';

/**
 * Disowns a request. One that has no operation yet gets one that has failed with `error`, so that it never opens any.
 * Answers the operations whose charge is void by it, and whose credits are to be given back.
 */
export async function disown(tx: Tx, given: NewOperation, error: ServiceErrorData): Promise<string[]> {
  const { id, accountId, keyId, videoId, language, fallback, format } = given;
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT disown_request(${id}::uuid, ${accountId}::uuid, ${keyId}::uuid, ${videoId}::bpchar, ${language}, ${fallback},
      ${format}, ${JSON.stringify(error)}::jsonb) AS id`;
  return rows.map((row) => row.id);
}
