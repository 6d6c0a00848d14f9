import { ServiceError, serviceError, type TranscriptAnswer, type TranscriptSelection } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { Hit } from '../domain/known.ts';
import { look } from '../store/cache.ts';
import { mayRestore } from '../store/operations.ts';
import { answerOperation } from './answer-operation.ts';
import { deliver } from './deliver.ts';
import { restoreTranscript } from './read-transcript.ts';

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
  const known = await look(deps.sql, asked, deps.now());
  if (known.kind === 'failed') throw known.error;
  if (known.kind === 'unknown') return null;
  try {
    return await deliver(deps, asked, known.hit);
  } catch (error) {
    if (!isLost(error)) throw error;
    if (asked.cacheOnly) return null;
    // The platform is known not to have it either.
    if (known.fact) throw known.fact;
    return await restore(deps, asked, known.hit, context);
  }
}

async function restore(deps: Deps, asked: Asked, hit: Hit, context: Context): Promise<TranscriptAnswer> {
  const { id: transcriptId } = hit.transcript;
  const waitSeconds = (await mayRestore(deps.sql, [transcriptId])).get(transcriptId) ?? null;
  if (waitSeconds === null) {
    const { waitMs, format } = asked;
    const begun = await restoreTranscript(deps, asked);
    return await answerOperation(deps, { ...begun, waitMs, format, creditsLeft: null }, context);
  }
  // It may have come back between the look and this.
  return await deliver(deps, asked, hit).catch((error: unknown) => {
    if (!isLost(error)) throw error;
    throw serviceError('cache_object_missing', { retryAfterSeconds: waitSeconds });
  });
}
