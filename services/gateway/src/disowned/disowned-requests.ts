import { setTimeout as sleep } from 'node:timers/promises';
import { operationErrors, ServiceError, transcriptFetcher } from '@tds/contracts';
import type { Kit } from '@tds/service-kit';
import { wasNeverHeard } from '../routes/read-cold.ts';
import type { Surface } from '../surface.ts';
import { AT_ONCE, type Disowned, type KeptRequests } from './kept-requests.ts';

const TELL_EVERY_MS = 1_000;
const PATIENCE_MS = 2_000;
const SERVER_ERROR = 500;
const finalErrors: readonly string[] = operationErrors;

/**
 * Whether cold work may have been begun, and may still be delivered, for a request that is about to be answered with this
 * error. Not where the work itself has failed, and not where nobody has heard of it.
 */
export const mayStillBeCharged = (error: unknown): boolean => {
  if (!(error instanceof ServiceError)) return true;
  return error.status >= SERVER_ERROR && !finalErrors.includes(error.code) && !wasNeverHeard(error);
};

export type DisownedRequests = {
  /** To be called before such a request is answered: from then on it costs nothing, whatever dies. Never fails. */
  disown(request: Disowned): Promise<void>;
};

/** Tells the fetcher of requests that were answered with a 5xx, until it has heard of each. */
export const startDisowning = (
  kit: Pick<Kit<Surface>, 'call' | 'log' | 'onStop'>,
  kept: KeptRequests,
): DisownedRequests => {
  /** Whether it need not be told again. */
  const tell = async (request: Disowned): Promise<boolean> => {
    const { requestId, accountId } = request;
    const context = { requestId, accountId, signal: AbortSignal.timeout(PATIENCE_MS) };
    try {
      await kit.call(transcriptFetcher.disownRequest, request, context);
    } catch (error) {
      // Away: it is told again. Anything else would come again as well, and is for people.
      if (error instanceof ServiceError && error.code === 'service_unavailable') return false;
      kit.log.error('a request was not disowned: it may be charged', { requestId, error });
    }
    await kept.forget(request);
    return true;
  };
  let running: Promise<unknown> | null = null;
  let isWanted = false;
  const run = async (): Promise<void> => {
    for (let isMore = true; isMore; ) {
      isWanted = false;
      const told = await Promise.all((await kept.take()).map(tell));
      isMore = isWanted || (told.length >= AT_ONCE && !told.includes(false));
    }
  };
  const tellKept = (): void => {
    isWanted = true;
    running ??= run().finally(() => {
      running = null;
    });
  };
  const timer = setInterval(tellKept, TELL_EVERY_MS);
  kit.onStop('disowned requests', async () => {
    clearInterval(timer);
    tellKept();
    // What is not heard by then lies in Redis for the other gateways.
    await Promise.race([running, sleep(PATIENCE_MS, undefined, { ref: false })]);
  });
  return {
    async disown(request) {
      await kept.keep(request);
      tellKept();
    },
  };
};
