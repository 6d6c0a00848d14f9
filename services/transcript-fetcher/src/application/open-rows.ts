import {
  type BatchOutcome,
  type BatchRow,
  CREDITS_PER_TRANSCRIPT,
  type RequestOf,
  transcriptFetcher,
  utcDay,
} from '@tds/contracts';
import { crashPoint, sqlState } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { poolRefusal, poolsOf, scopeRefusal, scopesOf } from '../domain/cold-caps.ts';
import { type OpenedRow, openBatch, type UnknownRow } from '../store/open-batch.ts';
import { takePermits } from './take-permits.ts';

export type BatchRequest = RequestOf<typeof transcriptFetcher.fetchTranscripts>;

type Refused = Extract<BatchOutcome, { state: 'refused' }>;

/** What became of rows that had neither an operation nor an answer of the cache. */
export type OpenedRows = {
  /** What each is to wait for: its own operation, or the account's open one for the same track. */
  readonly waiting: readonly { readonly row: BatchRow; readonly openedId: string }[];
  readonly refused: readonly Refused[];
};

/** Another call with the same rows has opened them, and they have ended since: they have to be looked at again. */
const UNIQUE_VIOLATION = '23505';

type Needed = Pick<Deps, 'sql' | 'messaging' | 'pools' | 'limits' | 'now'>;

/** Opens an operation for each row, as far as the daily caps have room, in one statement. */
export async function openRows(
  { sql, messaging, pools, limits, now }: Needed,
  request: BatchRequest,
  rows: readonly UnknownRow[],
): Promise<OpenedRows> {
  if (rows.length === 0) return { waiting: [], refused: [] };
  const at = now();
  const day = utcDay(at);
  const scopes = scopesOf(request, at, limits);
  const permits = await takePermits(pools, poolsOf(request.tier), rows.length, day);
  const batch = { ...request, rows, price: CREDITS_PER_TRANSCRIPT };
  const admission = { day, scopes, permits: permits.count };
  // If this throws anything else, nobody knows what is open: its permits stay taken.
  const opened = await messaging
    .statement({ enqueues: transcriptFetcher.fetchTracks, most: 0 }, (sending) =>
      openBatch(sql, batch, admission, sending),
    )
    .catch((error: unknown): OpenedRow[] => {
      if (sqlState(error) === UNIQUE_VIOLATION) return [];
      throw error;
    });
  crashPoint('batch-opened');
  await permits.giveBack(permits.count - opened.filter(({ isNew }) => isNew).length);
  const rowOf = new Map(rows.map((row) => [row.operationId, row]));
  const refusalOf = (full: string | null) => {
    const scope = scopes.find(({ name }) => name === full);
    return scope ? scopeRefusal(scope, at) : poolRefusal(permits.missing ?? 'global', at);
  };
  return {
    waiting: opened.flatMap(({ operationId, openedId }) => {
      const row = rowOf.get(operationId);
      return row && openedId !== null ? [{ row, openedId }] : [];
    }),
    refused: opened.flatMap(({ operationId, refused }) =>
      refused ? [toRefused(operationId, refusalOf(refused.scope))] : [],
    ),
  };
}

const toRefused = (operationId: string, { data }: ReturnType<typeof scopeRefusal>): Refused => ({
  operationId,
  state: 'refused',
  code: data.code as Refused['code'],
  retryAfterSeconds: data.retryAfterSeconds ?? null,
});
