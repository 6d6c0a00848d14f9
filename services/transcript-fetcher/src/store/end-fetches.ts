import { type ServiceErrorData, transcriptFetcher } from '@tds/contracts';
import type { Sending, Sent, Sql } from '@tds/service-kit';
import type { CachedSelection } from '../domain/selection.ts';
import { type Delivery, deliveryRow, type Fetch } from './fetches.ts';
import { selectionRow } from './transcripts.ts';
import { type FailedVideo, failedVideoRow } from './videos.ts';

/** What one statement saves of a fetch that has failed. */
export type Failing = {
  readonly fetch: Fetch;
  readonly error: ServiceErrorData;
  readonly selection: CachedSelection | null;
  readonly video: FailedVideo | null;
};

/** The operations whose callers can be answered now. */
export type EndedIds = readonly string[];

type Row = {
  ended_ids: string[];
  events: { readonly id: string; readonly payload: unknown }[];
  settles: number;
};

const DELIVER = {
  name: 'deliver-tracks',
  text: 'SELECT ended_ids, events, settles::integer FROM deliver_tracks($1)',
};
const FAIL = {
  name: 'fail-fetches',
  text: 'SELECT ended_ids, events, settles::integer FROM fail_fetches($1)',
};

const toSent = (
  [row]: readonly Row[],
  { subject }: { readonly subject: string },
): Sent<EndedIds, { operationId: string }> => {
  if (!row) throw new Error('the end of fetches answered no row');
  const { ended_ids: result, events, settles: left } = row;
  const told = events.map(({ id, payload }) => ({ id, subject, payload: JSON.stringify(payload) }));
  return { result, left, events: told };
};

/** Saves tracks and ends all that waited for them, in one statement. Without a task: whose fetch has ended before is passed over. */
export async function deliverTracks(
  sql: Sql,
  deliveries: readonly Omit<Delivery, 'reportedTo'>[],
  { headers, eventLeaseMs }: Sending,
): Promise<Sent<EndedIds, { operationId: string }>> {
  const rows = deliveries.map((delivery, index) => ({ turn: index + 1, ...deliveryRow(delivery) }));
  const given = { headers, hold_ms: eventLeaseMs, deliveries: rows };
  return toSent(await sql<Row>(DELIVER, [JSON.stringify(given)]), transcriptFetcher.transcriptFetched);
}

/** Saves failures in the same way. */
export async function failFetches(
  sql: Sql,
  failures: readonly Failing[],
  { headers, eventLeaseMs }: Sending,
): Promise<Sent<EndedIds, { operationId: string }>> {
  const rows = failures.map(({ fetch, error, selection, video }) => ({
    fetch_id: fetch.id,
    error,
    selection: selection && selectionRow({ ...fetch, transcriptId: null }, selection),
    video: video && failedVideoRow(video),
    event: {
      ...{ videoId: fetch.videoId, language: fetch.language },
      ...{ errorClass: error.errorClass, code: error.code },
    },
  }));
  const given = { headers, hold_ms: eventLeaseMs, failures: rows };
  return toSent(await sql<Row>(FAIL, [JSON.stringify(given)]), transcriptFetcher.transcriptFailed);
}
