import { creditsLedger, MAX_REPORTED_REQUESTS, MINUTE_MS, type ReportedRequest } from '@tds/contracts';
import type { ServiceError } from '@tds/errors';
import { routeTable } from '@tds/http-api';
import type { Kit } from '@tds/kit';
import { findVideo, type VideoSource } from '../domain/read-video.ts';
import type { MonotonicClock } from '../redis/index.ts';
import type { Surface } from '../surface.ts';
import type { Exchange } from '../wire/index.ts';
import { ownContext, startReport } from './flusher.ts';

/** Requests that wait for the ledger, about 4 MB. Failed ones take half of it at most, so that they push out no charge. */
const MAX_WAITING = 10_000;
const FILLING_SHARE = 0.25;
/** Requests of one account with one error code, by this gateway. */
const MAX_PER_MINUTE = 120;
/** Accounts and codes that are counted; beyond that, failed requests are not logged until the minute ends. */
const MAX_COUNTED = 20_000;

/**
 * What a look finds: a request that is not in the log yet, a transcript that HEAD would have to fetch, and what the role of the person
 * does not see. They are no failures.
 */
const ANSWERS: ReadonlySet<string> = new Set(['request_not_logged', 'not_cached']);
const reads: ReadonlySet<string> = new Set(
  routeTable.filter(({ method }) => method === 'GET').map(({ id }) => id),
);
const isAnswer = (code: string, route: string): boolean =>
  ANSWERS.has(code) || (code === 'role_required' && reads.has(route));

/** Counts failed requests by account and code, and refuses those of a flood. */
const createFloodGate = (clock: MonotonicClock) => {
  const counts = new Map<string, number>();
  let endsAt = 0;
  return (accountId: string, code: string): boolean => {
    if (clock() >= endsAt) {
      counts.clear();
      endsAt = clock() + MINUTE_MS;
    }
    const name = `${accountId} ${code}`;
    const count = counts.get(name) ?? 0;
    if (count >= MAX_PER_MINUTE || (count === 0 && counts.size >= MAX_COUNTED)) return false;
    counts.set(name, count + 1);
    return true;
  };
};

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The ids of a request's video and job: never another parameter. */
const toSubjectIds = ({ parameters, subject }: Pick<Exchange, 'parameters' | 'subject'>) => {
  const { params = {}, query = {} } = parameters ?? {};
  return {
    video_id: subject?.videoId ?? textOrNull(params.videoId) ?? findVideo(query as VideoSource),
    job_id: subject?.jobId ?? textOrNull(params.jobId),
  };
};

/** Why a request is not in the log. */
type UnloggedReason = 'flood' | 'full' | 'refused';

export const createRequestLog = (
  clock: MonotonicClock,
  onUnlogged: (why: UnloggedReason) => void,
  maxWaiting = MAX_WAITING,
) => {
  const queue: ReportedRequest[] = [];
  const isAdmitted = createFloodGate(clock);
  return {
    /** Takes a request that was charged, that failed, or whose work goes on, if its account is known. */
    log(exchange: Exchange, status: number, error: Pick<ServiceError, 'code'> | null, milliseconds: number) {
      const { accountId, creditsCharged, isUnderWay } = exchange;
      if (error === null && creditsCharged === 0 && !isUnderWay) return;
      if (error !== null && isAnswer(error.code, exchange.route)) return;
      if (!exchange.isAuthenticated || accountId === null) return;
      if (error !== null && !isAdmitted(accountId, error.code)) return onUnlogged('flood');
      if (queue.length >= (error === null ? maxWaiting : maxWaiting / 2)) return onUnlogged('full');
      const { requestId: request_id, keyId: key_id, personId: person_id, route } = exchange;
      queue.push({
        account_id: accountId,
        request_id,
        key_id,
        person_id,
        route,
        status,
        code: error?.code ?? null,
        credits_charged: creditsCharged,
        duration_ms: Math.round(milliseconds),
        ...toSubjectIds(exchange),
      });
    },
    take: (limit: number) => queue.splice(0, limit),
    isFilling: () => queue.length >= maxWaiting * FILLING_SHARE,
  };
};

type LoggingKit = Pick<Kit<Surface>, 'call' | 'metrics' | 'onStop'>;

/** Logs requests in memory and sends a batch every second. An answer waits for none of it, and a killed process loses the last second. */
export const startRequestLog = (kit: LoggingKit, clock: MonotonicClock) => {
  const unloggedRequests = kit.metrics.counter({
    name: 'tds_requests_unlogged_total',
    help: 'Charged or failed requests that are not in the log: in a flood of one error, for lack of room, or refused by the ledger',
    labels: ['why'],
  });
  for (const why of ['flood', 'full', 'refused']) unloggedRequests.inc({ why }, 0);
  const requestLog = createRequestLog(clock, (why) => unloggedRequests.inc({ why }));
  startReport(kit, 'log of requests', {
    ...requestLog,
    batchSize: MAX_REPORTED_REQUESTS,
    send: ({ items }) => kit.call(creditsLedger.recordRequests, { requests: items }, ownContext()),
    onRefused: ({ length }) => unloggedRequests.inc({ why: 'refused' }, length),
  });
  return requestLog.log;
};
export type LogRequest = ReturnType<typeof startRequestLog>;
