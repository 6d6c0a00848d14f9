import type { PayloadOf, TranscriptFormat, transcriptFetcher } from '@tds/contracts';
import type { Lease, Sending, Sql } from '@tds/service-kit';
import type { Operation } from '../domain/operation.ts';

/** Rows as JSON, with the names of their columns. */
export type DeliveredRows = {
  readonly video: string;
  readonly selection: string;
  /** The track that was fetched and its first rendered file; null where it was cached already, under `cachedId`. */
  readonly transcript: string | null;
  readonly file: string | null;
  readonly cachedId: string | null;
};

export type Delivery = {
  readonly lease: Lease;
  readonly fetchId: string;
  readonly rows: DeliveredRows;
  /** The operation whose own request waits here and is told the charge. */
  readonly told: string | null;
  readonly sending: Sending;
};

type SettleTask = {
  readonly id: string;
  readonly payload: PayloadOf<typeof transcriptFetcher.settleOperation>;
};

export type EndedOperations = {
  readonly operations: readonly Pick<Operation, 'id' | 'format' | 'transcriptId' | 'charge'>[];
  /** False where the same track was saved before: its first copy counts, and `transcript` and `file` are void. */
  readonly isFirst: boolean;
  readonly held: readonly SettleTask[];
  readonly left: number;
  /** Of `transcript-fetched`; null where nothing was fetched. */
  readonly eventId: string | null;
};

type Row = {
  ended_id: string;
  ended_format: string;
  ended_charge: number;
  delivered_id: string;
  is_first: boolean | null;
  /** null where there is no credit to settle. */
  settle_task_id: string | null;
  is_held: boolean;
  event_id: string | null;
};

const DELIVER = {
  name: 'deliver-fetch',
  text: `
    SELECT ended_id, ended_format, ended_charge, delivered_id, is_first, settle_task_id, is_held, event_id
    FROM deliver_fetch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
};

/** In one statement: the track, what the language leads to, and the end of every operation that waits for it. */
export async function deliverFetch(
  sql: Sql,
  { lease, fetchId, rows, told, sending }: Delivery,
): Promise<EndedOperations> {
  const ended = await sql<Row>(DELIVER, [
    ...[
      lease.id,
      lease.epoch,
      fetchId,
      rows.video,
      rows.selection,
      rows.transcript,
      rows.file,
      rows.cachedId,
    ],
    ...[told, sending.headers, sending.places, sending.leaseMs, sending.holdMs],
  ]);
  const held = ended.flatMap(
    ({ settle_task_id: id, is_held: isHeld, ended_id: operationId, ended_charge: charge }) =>
      id !== null && isHeld ? [{ id, payload: { operationId, charge } }] : [],
  );
  return {
    operations: ended.map((row) => ({
      ...{ id: row.ended_id, format: row.ended_format as TranscriptFormat },
      ...{ transcriptId: row.delivered_id, charge: row.ended_charge },
    })),
    isFirst: ended[0]?.is_first ?? false,
    held,
    left: ended.filter((row) => row.settle_task_id !== null).length - held.length,
    eventId: ended[0]?.event_id ?? null,
  };
}
