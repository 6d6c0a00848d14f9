import { type Refusal, refusal } from '../../classification/refusal.ts';
import { type Verdict, verdicts } from '../../classification/verdict.ts';
import { parseAnswer } from '../../parse-answer.ts';
import type { HttpAnswer } from '../../transport/exchange.ts';
import { inside } from '../reading/inside.ts';

const quota: readonly unknown[] = ['quotaExceeded', 'dailyLimitExceeded'];
const slower: readonly unknown[] = ['rateLimitExceeded', 'userRateLimitExceeded'];
const gone: readonly unknown[] = [
  ...[
    'playlistNotFound',
    'playlistItemsNotAccessible',
    'watchHistoryNotAccessible',
    'watchLaterNotAccessible',
  ],
  ...['channelNotFound', 'videoNotFound', 'notFound'],
];

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
const MINUTE_S = 60;
const pacificClock = new Intl.DateTimeFormat('en-US', {
  ...{ timeZone: 'America/Los_Angeles', hourCycle: 'h23' },
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
});

/** The platform's quota refills at midnight Pacific time, not UTC. */
export const secondsToPacificMidnight = (now: Date): number => {
  const [hours = 0, minutes = 0, seconds = 0] = pacificClock.format(now).split(':').map(Number);
  return DAY_S - (hours * HOUR_S + minutes * MINUTE_S + seconds);
};

const bodyOf = (text: string): unknown => {
  try {
    return parseAnswer(text);
  } catch {
    // Not JSON, such as an HTML page, or far too much of it: judged by its status alone.
    return null;
  }
};

const NOT_FOUND = 404;
const FORBIDDEN: readonly number[] = [401, 403];
const SERVER_ERROR = 500;

/** A refused key or a failing interface counts against the route; an unreadable answer may be about this source only. */
const verdictOf = (status: number): Verdict =>
  status >= SERVER_ERROR || FORBIDDEN.includes(status) ? verdicts.unreachable : verdicts.broken;

/** What an answer that is no success means. */
export const dataApiRefusal = ({ status, body, retryAfterSeconds }: HttpAnswer, now: Date): Refusal => {
  const error = inside(bodyOf(body), 'error');
  const reason = inside(error, 'errors', 0, 'reason');
  const refused = (verdict: Verdict, waitSeconds = retryAfterSeconds): Refusal =>
    refusal('data_api', verdict, {
      reason: `${status} ${String(reason ?? '')}`,
      retryAfterSeconds: waitSeconds,
    });
  if (quota.includes(reason)) return refused(verdicts.quotaSpent, secondsToPacificMidnight(now));
  if (slower.includes(reason)) return refused(verdicts.slowDown);
  const isGone = gone.includes(reason) || (status === NOT_FOUND && inside(error, 'status') === 'NOT_FOUND');
  return isGone ? refused(verdicts.sourceGone, null) : refused(verdictOf(status), null);
};
