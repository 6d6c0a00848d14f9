import { randomUUID } from 'node:crypto';
import type { Tx } from './database.ts';

export type Fetch = {
  readonly id: string;
  readonly videoId: string;
  readonly language: string;
  readonly fallback: boolean;
  readonly isOpen: boolean;
};

/**
 * The open fetch of a track, or a new one. The row stays locked until the transaction ends, so an operation that
 * attaches to it can never miss its end.
 */
export async function openFetch(
  tx: Tx,
  wanted: { videoId: string; language: string; fallback: boolean },
): Promise<{ id: string; isNew: boolean }> {
  const [row] = await tx.$queryRaw<{ id: string; is_new: boolean }[]>`
    INSERT INTO fetches (id, video_id, language, fallback)
    VALUES (${randomUUID()}::uuid, ${wanted.videoId}, ${wanted.language}, ${wanted.fallback})
    ON CONFLICT (video_id, language, fallback) WHERE state = 'open' DO UPDATE SET video_id = excluded.video_id
    RETURNING id, (xmax = 0) AS is_new`;
  if (!row) throw new Error('an upsert answered no row');
  return { id: row.id, isNew: row.is_new };
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
