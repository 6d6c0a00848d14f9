import { setTimeout as sleep } from 'node:timers/promises';
import { operationErrors, ServiceError, search, searchErrors, transcriptFetcher } from '@tds/contracts';
import { hasBegunNothing, isServiceAway, type Kit } from '@tds/service-kit';
import type { Surface } from '../surface.ts';
import { AT_ONCE, type Disowned, type KeptRequests } from './kept-requests.ts';

const REPORT_AGAIN_MS = 1_000;
/** How often it looks for what gateways that died have left. */
const LOOK_EVERY_MS = 5_000;
const PATIENCE_MS = 2_000;
const SERVER_ERROR = 500;
const finalErrors: readonly string[] = [...operationErrors, ...searchErrors];

/**
 * Whether work may have been begun, and may still be delivered, for a request that is about to be answered with this
 * error. Not if the work itself has failed, and not if nobody has received the command.
 */
export const mayStillBeCharged = (error: unknown): boolean => {
  if (!(error instanceof ServiceError)) return true;
  return error.status >= SERVER_ERROR && !finalErrors.includes(error.code) && !hasBegunNothing(error);
};

export type DisownedRequests = {
  /** To be called before such a request is answered: from then on it costs nothing, whatever dies. Never fails. */
  disown(request: Disowned): Promise<void>;
};

/** Reports requests that were answered with a 5xx to whoever works for them, until they have acknowledged each. */
export const startDisowning = (
  kit: Pick<Kit<Surface>, 'call' | 'log' | 'onStop'>,
  kept: KeptRequests,
): DisownedRequests => {
  /** Whether it need not be reported again. */
  const report = async (request: Disowned): Promise<boolean> => {
    const { requestId, accountId } = request;
    const context = { requestId, accountId, signal: AbortSignal.timeout(PATIENCE_MS) };
    try {
      if ('videoId' in request) await kit.call(transcriptFetcher.disownRequest, request, context);
      else await kit.call(search.disownSearch, request, context);
    } catch (error) {
      // Away: it is reported again. Any other failure would come again as well, and is for people.
      if (isServiceAway(error)) return false;
      kit.log.error('a request was not disowned: it may be charged', { requestId, error });
    }
    await kept.forget(request);
    return true;
  };
  let running: Promise<unknown> | null = null;
  let isWanted = false;
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  /** Resolves to whether something is left that is to be reported again. */
  const run = async (): Promise<boolean> => {
    for (;;) {
      isWanted = false;
      const reported = await Promise.all((await kept.take()).map(report));
      const isMore = isWanted || (reported.length >= AT_ONCE && !reported.includes(false));
      if (!isMore) return reported.includes(false);
    }
  };
  const reportKept = (): void => {
    isWanted = true;
    clearTimeout(timer);
    running ??= run().then((isLeft) => {
      running = null;
      if (!isStopping) timer = setTimeout(reportKept, isLeft || isWanted ? REPORT_AGAIN_MS : LOOK_EVERY_MS);
    });
  };
  reportKept();
  kit.onStop('disowned requests', async () => {
    isStopping = true;
    reportKept();
    // What is not acknowledged by then stays in Redis for the other gateways.
    await Promise.race([running, sleep(PATIENCE_MS, undefined, { ref: false })]);
  });
  return {
    async disown(request) {
      await kept.keep(request);
      reportKept();
    },
  };
};
