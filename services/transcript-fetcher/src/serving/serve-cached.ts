import {
  ServiceError,
  serviceError,
  type TranscriptAnswer,
  type TranscriptSelection,
  transcriptFetcher,
} from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { assertDeliverable, isCurrent, isStanding, standingError } from '../domain/selection.ts';
import { type CacheEntry, findCached } from '../store/cache.ts';
import { startRestoring } from '../store/start-restoring.ts';
import { answerOperation } from './answer-operation.ts';
import { type Deliverable, deliver } from './deliver.ts';

type Asked = TranscriptSelection & {
  readonly accountId: string;
  readonly keyId: string;
  /** Becomes the id of the work that fetches a lost transcript again. */
  readonly requestId: string;
  readonly waitMs: number;
  /** Nothing is to be fetched, not even what was lost. */
  readonly cacheOnly: boolean;
};

export const isLost = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'cache_object_missing';

/**
 * Answers from the cache, or null where that knows nothing; a standing fact about the video, and what a strict request
 * cannot get, are thrown. A transcript whose objects the store has lost is fetched again, for nothing.
 */
export async function serveCached(
  deps: Deps,
  asked: Asked,
  context: Context,
): Promise<TranscriptAnswer | null> {
  const now = deps.clock();
  const entry = await findCached(deps.sql, asked);
  const { selection, transcript, fact } = entry;
  const standing = fact && isStanding(fact, now) ? standingError(fact, now) : null;
  if (selection && isCurrent(selection, now)) {
    assertDeliverable(selection, asked, now);
    if (transcript) {
      const deliverable = { transcript, ...selection };
      try {
        return await deliver(deps, asked, deliverable, entry);
      } catch (error) {
        if (!isLost(error)) throw error;
        if (asked.cacheOnly) return null;
        // The platform is known not to have it either.
        if (standing) throw standing;
        return await restore(deps, asked, { deliverable, entry }, context);
      }
    }
  }
  if (standing) throw standing;
  return null;
}

type Lost = { readonly deliverable: Deliverable; readonly entry: CacheEntry };

/** Fetches it again with everybody else who waits for it. It costs nothing and counts nowhere: it was paid for. */
async function restore(
  deps: Deps,
  asked: Asked,
  { deliverable, entry }: Lost,
  context: Context,
): Promise<TranscriptAnswer> {
  const { waitMs, format, requestId } = asked;
  const wanted = { ...asked, id: requestId, transcriptId: deliverable.transcript.id };
  const begun = await deps.kit.messaging.statement(
    { enqueues: transcriptFetcher.fetchTrack },
    async (sending) => {
      const result = await startRestoring(deps.sql, wanted, sending);
      const task = result.kind === 'begun' ? result.task : null;
      const isHeld = task !== null && sending.places > 0;
      return { result, ...(isHeld ? { held: [task] } : { left: task ? 1 : 0 }) };
    },
  );
  if (begun.kind === 'begun') {
    const { id } = begun;
    return await answerOperation(deps, { id, isNew: id === requestId, waitMs, format }, context);
  }
  // It may have come back between the look and this.
  return await deliver(deps, asked, deliverable, entry).catch((error: unknown) => {
    if (!isLost(error)) throw error;
    throw serviceError('cache_object_missing', { retryAfterSeconds: begun.waitSeconds });
  });
}
