import { randomUUID } from 'node:crypto';
import { type PayloadOf, type TranscriptFormat, transcriptFetcher } from '@tds/contracts';
import type { Lease, Sending, Sent, Sql } from '@tds/service-kit';
import type { Operation } from '../domain/operation.ts';
import type { CachedSelection } from '../domain/selection.ts';
import type { CachedTranscript, KeptFile, TrackIdentity } from '../domain/transcript.ts';
import type { Tx } from './database.ts';
import { renderedFileRow, selectionRow, transcriptRow } from './transcripts.ts';
import { fetchedVideoRow, type InspectedVideo } from './videos.ts';

/** One upstream fetch of one track. */
export type Fetch = {
  readonly id: string;
  readonly videoId: string;
  readonly language: string;
  readonly fallback: boolean;
};

export type FetchPayload = PayloadOf<typeof transcriptFetcher.fetchTrack>;
type StartedTask = Pick<Sent<never, FetchPayload>, 'preLeased' | 'left'>;
export type StartedRow = { new_task_id: string | null; new_payload: FetchPayload | null };

const START = {
  name: 'start-fetch',
  text: 'SELECT new_task_id, new_payload FROM start_fetch($1, $2, $3, $4)',
};

/** The task of a fetch that was begun or put in front; none if one is under way, or the operation had ended before. */
export function startedTask(row: StartedRow | undefined, { slots }: Sending): StartedTask {
  if (!row?.new_task_id || !row.new_payload) return {};
  return slots > 0 ? { preLeased: [{ id: row.new_task_id, payload: row.new_payload }] } : { left: 1 };
}

/** Attaches a reserved operation to the open fetch of its track, or to a new one with its task, in one statement. */
export async function startFetch(sql: Sql, operationId: string, sending: Sending): Promise<StartedTask> {
  const { headers, slots, leaseMs } = sending;
  const values = [operationId, randomUUID(), headers, slots > 0 ? leaseMs : null];
  const [row] = await sql<StartedRow>(START, values);
  return startedTask(row, sending);
}

const HURRY = {
  name: 'hurry-fetch',
  text: 'SELECT new_task_id, new_payload FROM hurry_fetch($1, $2, $3)',
};

/** Puts the fetch of an operation in front of what only batches wait for, if it is not yet. */
export async function hurryFetch(sql: Sql, operationId: string, sending: Sending): Promise<StartedTask> {
  const { headers, slots, leaseMs } = sending;
  const [row] = await sql<StartedRow>(HURRY, [operationId, headers, slots > 0 ? leaseMs : null]);
  return startedTask(row, sending);
}

/** Null if nobody waits for it any more. */
export async function findOpenFetch(tx: Pick<Tx, 'fetch'>, id: string): Promise<Fetch | null> {
  const row = await tx.fetch.findUnique({ where: { id, state: 'open' } });
  return row && { id, videoId: row.videoId, language: row.language, fallback: row.fallback };
}

/** Those among them that are open, and for which only batches wait. */
export const findWaitingFetches = (tx: Pick<Tx, 'fetch'>, ids: readonly string[]): Promise<Fetch[]> =>
  tx.fetch.findMany({
    where: { id: { in: [...ids] }, state: 'open', isBackground: true },
    select: { id: true, videoId: true, language: true, fallback: true },
  });

/** It is no batch's task any more; false if it has ended, or is another one's already. */
export async function handOver(tx: Pick<Tx, 'fetch'>, id: string): Promise<boolean> {
  const where = { id, state: 'open', isBackground: true };
  return (await tx.fetch.updateMany({ where, data: { isBackground: false } })).count === 1;
}

/** Ends a fetch without a track; false if it had ended before. */
export async function failFetch(tx: Tx, id: string): Promise<boolean> {
  const ended = await tx.$executeRaw`
    UPDATE fetches SET state = 'failed', ended_at = now() WHERE id = ${id}::uuid AND state = 'open'`;
  return ended === 1;
}

/** What one statement saves of a fetch that has brought a track. */
export type Delivery = {
  readonly fetch: Fetch;
  readonly inspected: InspectedVideo;
  readonly track: TrackIdentity;
  readonly selection: CachedSelection;
  /** The track that was fetched and its first rendered file; null if it was cached already, under `cachedId`. */
  readonly transcript: (CachedTranscript & { readonly cueCount: number }) | null;
  readonly file: KeptFile | null;
  readonly cachedId: string | null;
  /** The operation whose own request waits here and is told the charge. */
  readonly reportedTo: string | null;
  readonly now: Date;
};

export type EndedFetch = {
  readonly operations: readonly Pick<Operation, 'id' | 'format' | 'transcriptId' | 'charge'>[];
  /** False if the same track was saved before: its first copy counts, and `transcript` and `file` are void. */
  readonly isFirst: boolean;
};

type SettlePayload = PayloadOf<typeof transcriptFetcher.settleOperation>;

type EndedRow = {
  ended_id: string;
  ended_format: TranscriptFormat;
  ended_charge: number;
  delivered_id: string;
  is_first: boolean | null;
  /** null if there is no credit to settle. */
  settle_task_id: string | null;
  is_pre_leased: boolean;
  event_id: string | null;
};

const DELIVER = {
  name: 'deliver-track',
  text: `
    SELECT ended_id, ended_format, ended_charge, delivered_id, is_first, settle_task_id, is_pre_leased, event_id
    FROM deliver_track($1)`,
};

/** What a delivery saves, under the names of its columns. */
export const deliveryRow = ({
  fetch,
  inspected,
  track,
  selection,
  transcript,
  file,
  cachedId,
  now,
}: Omit<Delivery, 'reportedTo'>) => ({
  fetch_id: fetch.id,
  video: fetchedVideoRow(inspected, track, now),
  selection: selectionRow({ ...fetch, transcriptId: null }, selection),
  transcript: transcript && transcriptRow({ ...transcript, ...track }),
  file: transcript && file && renderedFileRow(transcript.id, file),
  cached_id: cachedId,
});

/** In one statement: the track, what the language leads to, and the end of every operation that waits for it. */
export async function deliverTrack(
  sql: Sql,
  delivery: Delivery,
  lease: Lease,
  sending: Sending,
): Promise<Sent<EndedFetch, SettlePayload>> {
  const { headers, slots, leaseMs, eventLeaseMs } = sending;
  const given = {
    ...deliveryRow(delivery),
    ...{ task_id: lease.id, epoch: lease.epoch, reported_to: delivery.reportedTo },
    ...{ headers, slots, lease_ms: leaseMs, hold_ms: eventLeaseMs },
  };
  const rows = await sql<EndedRow>(DELIVER, [JSON.stringify(given)]);
  const [first] = rows;
  const tasks = rows.flatMap(({ settle_task_id: id, ...row }) => (id === null ? [] : [{ id, ...row }]));
  const preLeased = tasks
    .filter((task) => task.is_pre_leased)
    .map(({ id, ended_id, ended_charge }) => ({
      id,
      payload: { operationId: ended_id, charge: ended_charge },
    }));
  const operations = rows.map(({ ended_id, ended_format, delivered_id, ended_charge }) => ({
    id: ended_id,
    format: ended_format,
    transcriptId: delivered_id,
    charge: ended_charge,
  }));
  const { subject } = transcriptFetcher.transcriptFetched;
  return {
    result: { operations, isFirst: first?.is_first ?? false },
    preLeased,
    left: tasks.length - preLeased.length,
    events: first?.event_id ? [{ id: first.event_id, subject, payload: JSON.stringify(delivery.track) }] : [],
  };
}
