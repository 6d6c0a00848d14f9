import type { TranscriptAnswer, TranscriptSelection } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Context } from '@tds/messaging';
import { type Hit, isLost } from '../domain/transcript.ts';
import { findRestoreWaits, lookUpCache } from '../tracks/index.ts';
import { answerOperation, deliver } from './answer-operation.ts';
import type { ReadDeps } from './deps.ts';
import { restoreTranscript } from './read-transcript.ts';

type CachedRequest = TranscriptSelection & {
  readonly accountId: string;
  readonly keyId: string | null;
  /** Becomes the id of the operation if a lost transcript is fetched again. */
  readonly requestId: string;
  readonly waitMs: number;
  /** Do not fetch anything, not even a lost transcript. */
  readonly cacheOnly: boolean;
};

/**
 * Answers from the cache; null if it knows nothing. Throws a known fact about the video, and the refusal of a strict request. Fetches a
 * transcript again, for nothing, if its objects are lost.
 */
export async function serveCached(
  deps: ReadDeps,
  request: CachedRequest,
  context: Context,
): Promise<TranscriptAnswer | null> {
  const cacheAnswer = await lookUpCache(deps.sql, request, deps.now());
  if (cacheAnswer.kind === 'failed') throw cacheAnswer.error;
  if (cacheAnswer.kind === 'unknown') return null;
  if (cacheAnswer.kind === 'refresh') throw new Error('only a fetch gets a refresh');
  const { videoId, language, accountId } = request;
  if (cacheAnswer.isEnded)
    void deps.laterCaptions.refresh({ videoIds: [videoId], languages: [language], accountId });
  try {
    return await deliver(deps, request, cacheAnswer.hit);
  } catch (error) {
    if (!isLost(error)) throw error;
    if (request.cacheOnly) return null;
    // The platform does not have it either.
    if (cacheAnswer.fact) throw cacheAnswer.fact;
    return await restore(deps, request, cacheAnswer.hit, context);
  }
}

async function restore(
  deps: ReadDeps,
  request: CachedRequest,
  hit: Hit,
  context: Context,
): Promise<TranscriptAnswer> {
  const { id: transcriptId } = hit.transcript;
  const waitSeconds = (await findRestoreWaits(deps.sql, [transcriptId])).get(transcriptId);
  if (waitSeconds === undefined) {
    const operation = await restoreTranscript(deps, request);
    return await answerOperation(deps, { ...request, ...operation, creditsLeft: null }, context);
  }
  // It may have been restored meanwhile.
  return await deliver(deps, request, hit).catch((error: unknown) => {
    if (!isLost(error)) throw error;
    throw serviceError('cache_object_missing', { retryAfterSeconds: waitSeconds });
  });
}
