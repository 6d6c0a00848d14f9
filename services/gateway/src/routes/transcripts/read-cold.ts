import { setTimeout as delay } from 'node:timers/promises';
import type { TranscriptAnswer } from '@tds/contracts';
import { hasCode, type ServiceError } from '@tds/errors';
import { hasBegunNothing } from '@tds/kit';
import type { RouteDeps } from '../serve/index.ts';

/** Longest wait for one instance: if it dies, its answer is lost. */
const MAX_WAIT_MS = 5_000;
/** While this process stops: it has seconds left to answer. */
const LAST_WAIT_MS = 1_000;
/** How long to look for work whose start was not confirmed. */
const UNCONFIRMED_MS = 3_000;
const POLL_EVERY_MS = 250;
/** After a failure to ask about accepted work: its callers are many, and what failed recovers. */
const POLL_AGAIN_MS = 1_000;

export type ColdRead = {
  /** Becomes the id of the work, unless the account's open work for the same track is joined. */
  readonly requestId: string;
  start(waitMs: number): Promise<TranscriptAnswer>;
  /** Any instance knows the state of the work. */
  poll(requestId: string, waitMs: number): Promise<TranscriptAnswer>;
};

/** The fetcher answered this error itself: the work failed or its database is away. Lost answers have a cause. */
const wasAnswered = ({ cause }: ServiceError): boolean => cause === undefined;

type ColdWait = Pick<RouteDeps, 'clock' | 'coldWaitMs' | 'isEnding'>;

/**
 * Starts cold work and waits for it in slices. The work continues, and is charged, without the instance that was asked:
 * if its answer is lost, the others are asked by the request's id before the request fails. Work is called pending only if the fetcher said
 * so last: a lost answer may have reported the charge, and no poll would report it again.
 */
export async function readCold(
  read: ColdRead,
  { clock, coldWaitMs, isEnding }: ColdWait,
): Promise<TranscriptAnswer> {
  const endsAt = clock() + coldWaitMs;
  let acceptedId: string | null = null;
  let failure: { readonly error: ServiceError; readonly at: number } | null = null;
  for (let ask = read.start; ; ask = (waitMs) => read.poll(acceptedId ?? read.requestId, waitMs)) {
    const askedAt = clock();
    const sliceMs = isEnding() ? LAST_WAIT_MS : MAX_WAIT_MS;
    // As long as the lost question: an instance that still answers that one, and reports the charge to it, ends before.
    const waitMs = failure ? sliceMs : Math.round(Math.max(0, Math.min(sliceMs, endsAt - askedAt)));
    try {
      const answer = await ask(waitMs);
      if (answer.state !== 'pending' || clock() >= endsAt || isEnding()) return answer;
      acceptedId = answer.requestId;
      failure = null;
      // An instance that stops answers early.
      if (clock() - askedAt < waitMs) await delay(Math.min(POLL_EVERY_MS, endsAt - clock()));
    } catch (error) {
      if (failure !== null && acceptedId === null && hasCode(error, 'request_not_found')) throw failure.error;
      if (!hasCode(error, 'service_unavailable')) throw error;
      const isOver = clock() >= endsAt || isEnding();
      if (failure === null && hasBegunNothing(error)) {
        if (acceptedId === null) throw error;
        if (isOver) return { state: 'pending', requestId: acceptedId };
      } else {
        // Not the newer error: a poll that began nothing does not tell about the work.
        if (failure !== null && (acceptedId === null ? wasAnswered(error) : isOver)) throw failure.error;
        failure ??= { error, at: clock() };
        if (acceptedId === null && clock() >= failure.at + UNCONFIRMED_MS) throw failure.error;
      }
      await delay(acceptedId === null ? POLL_EVERY_MS : POLL_AGAIN_MS);
    }
  }
}

/** The answer of a read that starts nothing. A broadcast without captions yet has the same code but another error class. */
export const isNotCached = ({ code, errorClass }: ServiceError): boolean =>
  code === 'transcript_not_ready' && errorClass === 'UpstreamError';
