import { setTimeout as delay } from 'node:timers/promises';
import { createDeadline } from '@tds/base';
import type { Meter } from '@tds/bounded-http';
import {
  type Attempt,
  firstMatch,
  type HttpFacts,
  httpRows,
  type Meaning,
  meanings,
  type Refusal,
  refusal,
  toRefusal,
} from '../classification/index.ts';
import { PLAYER_MARK } from '../player/index.ts';
import { inside, tryParseAnswer } from '../reading/index.ts';
import { type HttpAnswer, type HttpRequest, type Session, sendRequest } from '../transport/index.ts';
import type { Endpoint, RetireCause } from '../types.ts';
import { timeoutError } from './call.ts';
import type { Engine, Route } from './engine.ts';

const FIELD = /name="v"\s{1,8}value="([\w.+-]{1,100})"/;

const isConsent = (refusal: Refusal): boolean => refusal.row.startsWith('consent_');

/** The cookies that let this address past the consent page: that of today, and that of before 2023 with the value of its form. */
const consentCookies = (page: string): string => `SOCS=CAI; CONSENT=YES+${FIELD.exec(page)?.[1] ?? 'cb'}`;

type ReadBody<T> = { readonly value: T; readonly omitted: number };

type Job<T> = {
  readonly route: Route;
  readonly endpoint: Endpoint;
  readonly videoId: string;
  /** The caller whose share of the proxies' bytes is spent; null if none. */
  readonly callerId: string | null;
  readonly request: HttpRequest;
  readonly isTranslation: boolean;
  readonly isProbe: boolean;
  /** Fires with the caller's own signal or at the call's deadline. */
  readonly signal: AbortSignal;
  /** Reads a body that no HTTP row refused. Throws RefusedAnswer, or any other error for garbage. */
  readonly read: (body: string) => ReadBody<T> | Promise<ReadBody<T>>;
};

const HTML = /^\s{0,64}<(?:!doctype html|html)/i;
/** A body of data, whatever its content type claims. */
const DATA = /^\s{0,64}(?:\{|<\?xml|<transcript|<timedtext|<feed)/;

const OK = 200;

/** `error.status` of the platform's JSON errors; empty for any other body. */
const readErrorStatus = ({ status, body }: HttpAnswer): string => {
  const errorStatus = status === OK ? '' : inside(tryParseAnswer(body), 'error', 'status');
  return typeof errorStatus === 'string' ? errorStatus : '';
};

const toFacts = (answer: HttpAnswer, job: Job<unknown>): HttpFacts => {
  const isEmpty = !/\S/.test(answer.body);
  const claimsHtml = answer.contentType.startsWith('text/html') && !DATA.test(answer.body);
  const isHtml = !isEmpty && (claimsHtml || HTML.test(answer.body));
  const isWatchPage = job.endpoint === 'watch_page' && answer.body.includes(PLAYER_MARK);
  return {
    endpoint: job.endpoint,
    status: answer.status,
    location: answer.location,
    isEmpty,
    isHtml,
    page: isHtml && !isWatchPage ? answer.body : '',
    errorStatus: readErrorStatus(answer),
    translated: job.isTranslation,
  };
};

type AttemptWithBody<T> = { readonly attempt: Attempt<T>; readonly omitted: number; readonly body: string };

const refuse = (refusal: Refusal, body = ''): AttemptWithBody<never> => ({
  attempt: { kind: 'refused', refusal },
  omitted: 0,
  body,
});

async function request<T>(
  engine: Engine,
  job: Job<T>,
  session: Session,
  meter: Meter,
): Promise<AttemptWithBody<T>> {
  const { probeMs, attemptMs } = engine.limits;
  const deadline = createDeadline(job.isProbe ? probeMs : attemptMs, job.signal, timeoutError);
  const target = { origin: engine.origin, limits: engine.limits, signal: deadline.signal };
  try {
    // The deadline covers the exchange only; reading the answer is our own time.
    job.route.exit.count(session);
    const answer = await sendRequest(session, target, job.request, meter).finally(deadline.dispose);
    const row = firstMatch(httpRows, toFacts(answer, job));
    if (row !== null) {
      const { retryAfterSeconds } = answer;
      return refuse(refusal(row.name, row.meaning, { retryAfterSeconds }), answer.body);
    }
    const { value, omitted } = await job.read(answer.body);
    return { attempt: { kind: 'ok', value }, omitted, body: '' };
  } catch (thrown) {
    if (job.signal.aborted) return { attempt: { kind: 'cancelled' }, omitted: 0, body: '' };
    return refuse(toRefusal(thrown, deadline.hasPassed()));
  }
}

const MAX_REASON_LENGTH = 200;
const short = (text: string | null | undefined) => text?.slice(0, MAX_REASON_LENGTH) ?? null;

const report = (
  engine: Engine,
  job: Job<unknown>,
  response: AttemptWithBody<unknown>,
  meter: Meter,
  durationMs: number,
) => {
  const refusal = response.attempt.kind === 'refused' ? response.attempt.refusal : null;
  try {
    engine.onAttempt({
      at: engine.clock(),
      videoId: job.videoId,
      endpoint: job.endpoint,
      strategy: job.route.strategy.name,
      client: job.route.strategy.client,
      exit: job.route.exit.name,
      durationMs: Math.round(durationMs),
      bytes: meter.bytes,
      httpStatus: meter.status,
      outcome: refusal?.row ?? response.attempt.kind,
      code: refusal?.meaning.code ?? null,
      reason: short(refusal?.reason),
      subreason: short(refusal?.subreason),
      omitted: response.omitted,
    });
  } catch {
    // An observer's failure must not become the caller's.
  }
};

async function sendAndReport<T>(engine: Engine, job: Job<T>, session: Session): Promise<AttemptWithBody<T>> {
  const meter: Meter = { bytes: 0, status: null };
  const startedMs = performance.now();
  const response = await request(engine, job, session, meter);
  report(engine, job, response, meter, performance.now() - startedMs);
  if (job.route.exit.isProxied && meter.bytes > 0) {
    // Keep the answer if the budget cannot be written: an unreadable budget counts as spent at the next call.
    await engine.budget.spend(meter.bytes, job.callerId).catch(() => undefined);
  }
  return response;
}

/** Sends one request through a session; after a consent page a second one with its cookie. */
async function sendInSession<T>(engine: Engine, job: Job<T>, session: Session): Promise<Attempt<T>> {
  const first = await sendAndReport(engine, job, session);
  if (first.attempt.kind !== 'refused' || !isConsent(first.attempt.refusal)) return first.attempt;
  session.cookie = consentCookies(first.body);
  return (await sendAndReport(engine, job, session)).attempt;
}

const MS_PER_SECOND = 1_000;

/** Waits for the turn of the session's address. Resolves to a refusal if that takes too long. */
async function awaitTurn(
  engine: Engine,
  session: Session,
  signal: AbortSignal,
): Promise<Attempt<never> | null> {
  const waitMs = session.pace.waitMs();
  if (waitMs > engine.limits.paceWaitMs) {
    const retryAfterSeconds = Math.ceil(waitMs / MS_PER_SECOND);
    return { kind: 'refused', refusal: refusal('paced', meanings.paced, { retryAfterSeconds }) };
  }
  session.pace.reserve();
  if (waitMs === 0) return null;
  return delay(waitMs, null, { signal }).catch(() => ({ kind: 'cancelled' }) as const);
}

/** Waits for the turn of a session's address, and sends the request through it. */
const sendThrough = <T>(engine: Engine, job: Job<T>, session: Session): Promise<Attempt<T>> =>
  job.route.exit.hold(session, async () => {
    const turnFailure = await awaitTurn(engine, session, job.signal);
    return turnFailure ?? sendInSession(engine, job, session);
  });

/** Proven addresses that agree on an answer that is not the platform's own: the client or the video is at fault. */
const ADDRESSES_THAT_AGREE = 2;
/** Half of all addresses may be in a country that is refused without its name. */
const UNCLEAR_WEIGHT = 0.5;

/** Keeps a session's record. Returns why it ends: for a foreign answer only if it has given no own one since another subject's. */
const evaluate = (session: Session, subject: string, { endsSession }: Partial<Meaning>): RetireCause | null => {
  if (endsSession !== 'foreign') {
    session.isProven ||= endsSession === undefined;
    session.foreignTo = null;
    return endsSession ?? null;
  }
  const isSecond = session.foreignTo !== null && (session.foreignTo !== subject || subject === '');
  session.foreignTo = subject;
  return session.isProven && !isSecond ? null : 'foreign';
};

/**
 * Asks through a session of the route's exit. If its address is refused, does not answer, is answered in the platform's place or is in
 * a country without the video, asks through another one of a rotating exit. Never throws.
 */
export async function attempt<T>(engine: Engine, job: Job<T>): Promise<Attempt<T>> {
  const { exit } = job.route;
  const triedSessions = new Set<Session>();
  let refusedAttempt: Attempt<T> | null = null;
  let agreements = 0;
  while (triedSessions.size < engine.limits.sessionsPerRequest && agreements < ADDRESSES_THAT_AGREE) {
    const session = exit.sessionFor(job.videoId, triedSessions);
    triedSessions.add(session);
    const result = await sendThrough(engine, job, session);
    const meaning: Partial<Meaning> = result.kind === 'refused' ? result.refusal.meaning : {};
    // The refusals before it say more than the end of the call, or the pace of one address.
    if (result.kind === 'cancelled' || meaning === meanings.paced) return refusedAttempt ?? result;
    const cause = evaluate(session, job.videoId, meaning);
    const isUnclear = meaning === meanings.unclear;
    const mayBeServedElsewhere =
      meaning.endsSession !== undefined || meaning.settles === 'after_all_exits' || isUnclear;
    if (!mayBeServedElsewhere) return result;
    refusedAttempt = result;
    if (!exit.isRotating) break;
    if (cause !== null) exit.retire(session, cause);
    else if (meaning.endsSession === 'foreign') agreements += 1;
    else if (isUnclear) agreements += UNCLEAR_WEIGHT;
  }
  return refusedAttempt ?? { kind: 'cancelled' };
}
