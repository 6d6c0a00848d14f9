import {
  type StoredFormat,
  type TranscriptAnswer,
  type TranscriptSelection,
  transcriptFetcher,
} from '@tds/contracts';
import { hasCode, ServiceError, serviceError } from '@tds/errors';
import { routes } from '@tds/http-api';
import {
  assertRequested,
  isRequested,
  type ProjectedTranscript,
  renderedKey,
  toPublicFormat,
} from '../../cache/index.ts';
import { insufficientScope, mayFetch } from '../../principals/index.ts';
import { answerOrWaive } from '../../refunds/index.ts';
import { type AnswerTo, type Input, onRoute, type RouteDeps } from '../serve/index.ts';
import { askFetcher, createColdRead, toRequestIds } from './ask-fetcher.ts';
import { answerDelivered, answerHit, isFaultyForm, readPassageSize } from './passage-answers.ts';
import { isNotCached, readCold } from './read-cold.ts';
import {
  type GetTranscript,
  pendingAnswer,
  readRequestId,
  toSelection,
  toStoredFormat,
} from './transcript-answers.ts';

const POLL_WAIT_MS = 10_000;
/** Another fetch of the key may end within it. */
const RETRY_AFTER_SECONDS = 1;

type TranscriptInput = Input<GetTranscript>;
type Answer = AnswerTo<GetTranscript>;

/** Answers from memory or the cache. Otherwise takes a lease on a cold fetch and asks the fetcher. */
export const getTranscript = onRoute(
  routes.getTranscript,
  (deps, input): Answer | Promise<Answer> => {
    readPassageSize(input.query);
    const selection = toSelection(input.query);
    if (selection === null) return poll(deps, input);
    if (input.query.refresh) return readThrough(deps, input, selection);
    const entry = deps.memory.get(selection);
    if (entry) return answerHit(deps, input, entry);
    const { transcript } = input;
    return transcript ? readProjected(deps, input, selection, transcript) : readThrough(deps, input, selection);
  },
  {
    wants({ memory }, query) {
      const selection = toSelection(query);
      if (selection === null || query.refresh || isFaultyForm(query)) return null;
      return memory.get(selection) ? 'body' : { cacheKey: renderedKey(selection) };
    },
  },
);

/**
 * Admission has counted the read. If the entry is unusable, the count is released and the fetcher is asked, whose
 * answer is counted anew.
 */
async function readProjected(
  deps: RouteDeps,
  input: TranscriptInput,
  selection: TranscriptSelection,
  transcript: ProjectedTranscript,
): Promise<Answer> {
  const entry = isRequested(transcript.head, selection) ? await openTranscript(deps, transcript) : null;
  if (entry === null) {
    deps.reads.release(input.principal);
    return readThrough(deps, input, selection);
  }
  deps.memory.keep(selection, entry);
  return answerHit(deps, input, entry);
}

/** Null if the object store lost the file: the fetcher renders it again. */
const openTranscript = async ({ stored }: RouteDeps, transcript: ProjectedTranscript) => {
  try {
    return await stored.open(transcript);
  } catch (error) {
    if (hasCode(error, 'cache_object_missing')) return null;
    throw error;
  }
};

async function poll(deps: RouteDeps, input: TranscriptInput): Promise<Answer> {
  const { accountId } = input.principal;
  const format = toStoredFormat(input.query);
  const polledId = readRequestId(input.query);
  input.exchange.hasMovedBalance = true;
  const request = { accountId, requestId: polledId, waitMs: input.isHead ? 0 : POLL_WAIT_MS };
  return await answerOrWaive(deps, input, { polledId, ...toRequestIds(input) }, async () => {
    const answer = await deps.call(
      transcriptFetcher.pollRequest,
      format === undefined ? request : { ...request, format },
      input.callContext,
    );
    return await toAnswer(deps, input, { format }, answer);
  });
}

async function readThrough(
  deps: RouteDeps,
  input: TranscriptInput,
  selection: TranscriptSelection,
): Promise<Answer> {
  if (input.isHead) return readCacheOnly(deps, input, selection, notCached);
  const { principal, requestId } = input;
  if (!mayFetch(principal))
    return readCacheOnly(deps, input, selection, () => insufficientScope(principal, 'fetch'));
  const { concurrentColdFetches } = deps.limits[principal.tier];
  const release = await deps.leases.take(principal.limitId as string, requestId, concurrentColdFetches);
  if (release === null) return readCacheOnly(deps, input, selection, tooManyConcurrent);
  input.exchange.hasMovedBalance = true;
  try {
    return await answerOrWaive(deps, input, { ...selection, ...toRequestIds(input) }, async () => {
      const answer = await readCold(createColdRead(deps.call, input, selection), deps);
      if (input.query.refresh) deps.memory.forget(selection);
      return await toAnswer(deps, input, selection, answer);
    });
  } finally {
    // Not awaited: the next lease of this gateway follows on the same connection.
    void release();
  }
}

const notCached = (): ServiceError => serviceError('not_cached');
const tooManyConcurrent = (): ServiceError =>
  serviceError('concurrency_cap', { retryAfterSeconds: RETRY_AFTER_SECONDS });

/**
 * Answers what only the fetcher has cached. That costs nothing, so it also serves HEAD and requests beyond the cap on
 * cold fetches.
 */
async function readCacheOnly(
  deps: RouteDeps,
  input: TranscriptInput,
  selection: TranscriptSelection,
  refusal: () => ServiceError,
): Promise<Answer> {
  // What is cached is no answer to a refresh.
  if (input.query.refresh) throw refusal();
  try {
    const answer = await askFetcher(deps.call, input, selection, { cacheOnly: true, waitMs: 0 });
    return await toAnswer(deps, input, selection, answer);
  } catch (error) {
    if (!(error instanceof ServiceError) || !isNotCached(error)) throw error;
    throw refusal();
  }
}

async function toAnswer(
  deps: RouteDeps,
  input: TranscriptInput,
  partialSelection: TranscriptSelection | { readonly format: StoredFormat | undefined },
  answer: TranscriptAnswer,
): Promise<Answer> {
  const { query, principal } = input;
  const { memory, stored, reads } = deps;
  const selection = 'videoId' in partialSelection ? partialSelection : null;
  if (answer.state === 'pending') {
    // The poll that delivers it is logged, not those before it.
    if (selection) input.exchange.isUnderWay = true;
    // With the format even if the request left it out: another request may have started the work with a different one.
    const { format = query.format } = partialSelection;
    return pendingAnswer(answer.requestId, { ...query, format: format && toPublicFormat(format) });
  }
  assertRequested(answer, partialSelection);
  if (answer.creditsLeft !== undefined) input.exchange.newBalance = answer.creditsLeft;
  if (answer.cache === 'HIT') await reads.count(principal);
  if (!selection) input.exchange.subject = { videoId: answer.video.id };
  const entry = await stored.load(answer);
  if (selection) memory.keep(selection, entry);
  return await answerDelivered(deps, input, entry, answer);
}
