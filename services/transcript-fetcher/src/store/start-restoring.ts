import { randomUUID } from 'node:crypto';
import type { PayloadOf, transcriptFetcher } from '@tds/contracts';
import type { Sending, Sql } from '@tds/service-kit';
import type { FetchTask } from './fetches.ts';
import type { NewOperation } from './operations.ts';

type Row = {
  opened_id: string | null;
  wait_seconds: number | null;
  new_task_id: string | null;
  new_payload: PayloadOf<typeof transcriptFetcher.fetchTrack> | null;
};

export type Restoring =
  | { readonly kind: 'begun'; readonly id: string; readonly task: FetchTask | null }
  /** It was tried shortly before. */
  | { readonly kind: 'refused'; readonly waitSeconds: number };

const START = {
  name: 'start-restoring',
  text: `
    SELECT opened_id, wait_seconds, new_task_id, new_payload
    FROM start_restoring($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
};

/** Opens, in one statement, an operation that fetches a lost transcript again for nothing; or joins what fetches it. */
export async function startRestoring(
  sql: Sql,
  wanted: NewOperation & { readonly transcriptId: string },
  { headers, places, leaseMs }: Sending,
): Promise<Restoring> {
  const { id, accountId, keyId, videoId, language, fallback, format, transcriptId } = wanted;
  const [row] = await sql<Row>(START, [
    ...[id, accountId, keyId, videoId, language, fallback, format, transcriptId],
    ...[randomUUID(), headers, places > 0 ? leaseMs : null],
  ]);
  if (!row?.opened_id) return { kind: 'refused', waitSeconds: row?.wait_seconds ?? 1 };
  const { new_task_id: taskId, new_payload: payload } = row;
  return { kind: 'begun', id: row.opened_id, task: taskId && payload ? { id: taskId, payload } : null };
}
