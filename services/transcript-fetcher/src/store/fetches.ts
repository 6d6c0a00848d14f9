import { randomUUID } from 'node:crypto';
import type { PayloadOf, transcriptFetcher } from '@tds/contracts';
import type { Sending, Sql } from '@tds/service-kit';
import type { Tx } from './database.ts';

export type Fetch = {
  readonly id: string;
  readonly videoId: string;
  readonly language: string;
  readonly fallback: boolean;
  readonly isOpen: boolean;
};

type StartedRow = {
  new_task_id: string | null;
  new_payload: PayloadOf<typeof transcriptFetcher.fetchTrack> | null;
};

/** The task of a fetch that was begun for an operation; null where it joined one, or had ended before. */
export type FetchTask = {
  readonly id: string;
  readonly payload: PayloadOf<typeof transcriptFetcher.fetchTrack>;
};

const START = {
  name: 'start-fetch',
  text: 'SELECT new_task_id, new_payload FROM start_fetch($1, $2, $3, $4)',
};

/** Attaches a reserved operation to the open fetch of its track, or to a new one with its task, in one statement. */
export async function startFetch(
  sql: Sql,
  operationId: string,
  { headers, places, leaseMs }: Sending,
): Promise<FetchTask | null> {
  const values = [operationId, randomUUID(), headers, places > 0 ? leaseMs : null];
  const [row] = await sql<StartedRow>(START, values);
  return row?.new_task_id && row.new_payload ? { id: row.new_task_id, payload: row.new_payload } : null;
}

export async function findFetch(tx: Pick<Tx, 'fetch'>, id: string): Promise<Fetch | null> {
  const row = await tx.fetch.findUnique({ where: { id } });
  if (!row) return null;
  return {
    id,
    videoId: row.video_id,
    language: row.language,
    fallback: row.fallback,
    isOpen: row.state === 'open',
  };
}

/** Ends a fetch; false where it had ended before. */
export async function endFetch(tx: Tx, id: string, state: 'done' | 'failed'): Promise<boolean> {
  const ended = await tx.$executeRaw`
    UPDATE fetches SET state = ${state}, ended_at = now() WHERE id = ${id}::uuid AND state = 'open'`;
  return ended === 1;
}
