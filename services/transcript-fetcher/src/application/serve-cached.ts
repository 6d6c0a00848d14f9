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
import { findCached } from '../store/cache.ts';
import { startRestoring } from '../store/open-operation.ts';
import { answerOperation } from './answer-operation.ts';
import { type Cached, deliver } from './deliver.ts';

type Asked = TranscriptSelection & {
  readonly accountId: string;
  readonly keyId: string | null;
  /** Becomes the id of the work that fetches a lost transcript again. */
  readonly requestId: string;
  readonly waitMs: number;
  /** Nothing is to be fetched, not even what was lost. */
  readonly cacheOnly: boolean;
};

export const isLost = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'cache_object_missing';

/**
 * Answers from the cache, or null if that knows nothing; a standing fact about the video, and what a strict request
 * cannot get, are thrown. A transcript whose objects the store has lost is fetched again, for nothing.
 */
export async function serveCached(
  deps: Deps,
  asked: Asked,
  context: Context,
): Promise<TranscriptAnswer | null> {
  const now = deps.now();
  const { selection, transcript, rendered, fact } = await findCached(deps.sql, asked);
  const standing = fact && isStanding(fact, now) ? standingError(fact, now) : null;
  if (selection && isCurrent(selection, now)) {
    assertDeliverable(selection, asked, now);
    if (transcript) {
      const cached = { transcript, choice: selection, rendered };
      try {
        return await deliver(deps, asked, cached);
      } catch (error) {
        if (!isLost(error)) throw error;
        if (asked.cacheOnly) return null;
        // The platform is known not to have it either.
        if (standing) throw standing;
        return await restore(deps, asked, cached, context);
      }
    }
  }
  if (standing) throw standing;
  return null;
}

/** Fetches it again with everybody else who waits for it. It costs nothing and counts nowhere: it was paid for. */
async function restore(
  deps: Deps,
  asked: Asked,
  cached: Cached,
  context: Context,
): Promise<TranscriptAnswer> {
  const { waitMs, format, requestId } = asked;
  const wanted = { ...asked, id: requestId, transcriptId: cached.transcript.id };
  const { id, waitSeconds } = await deps.messaging.statement(
    { enqueues: transcriptFetcher.fetchTrack },
    (sending) => startRestoring(deps.sql, wanted, sending),
  );
  if (id !== null) {
    return await answerOperation(deps, { id, isNew: id === requestId, waitMs, format }, context);
  }
  // It may have come back between the look and this.
  return await deliver(deps, asked, cached).catch((error: unknown) => {
    if (!isLost(error)) throw error;
    throw serviceError('cache_object_missing', { retryAfterSeconds: waitSeconds });
  });
}
