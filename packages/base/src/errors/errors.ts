import { hasCode, ServiceError, serviceError } from '@tds/errors';
import { isDatabaseAway } from '../db/sql.ts';
import { redactText } from '../log/redact.ts';

const MAX_CHARACTERS = 500;

/** An error in one line for a row's `last_error`: without secrets, bounded. */
export const errorText = (thrown: unknown): string =>
  redactText(Error.isError(thrown) ? `${thrown.name}: ${thrown.message}` : String(thrown), MAX_CHARACTERS);

/** For `catch`: an error that is expected gives this value, and every other one is thrown. */
export const expecting =
  <Value = void>(matches: (error: unknown) => boolean, value?: Value) =>
  (error: unknown): Value => {
    if (!matches(error)) throw error;
    return value as Value;
  };

/** Whether a called service, or a server that it needs, did not answer: the same call may succeed later. */
export const isServiceAway = (thrown: unknown): thrown is ServiceError =>
  hasCode(thrown, 'service_unavailable');

/** Errors that the broker's client throws if the broker is away or no service answers. */
const brokerNames = [
  ...['NoResponders', 'RequestError', 'ConnectionError', 'ClosedConnectionError'],
  ...['DrainingConnectionError', 'JetStreamError', 'JetStreamStatusError', 'JetStreamApiError'],
  ...['JetStreamNotEnabled', 'ConsumerNotFoundError', 'StreamNotFoundError', 'StreamFailure'],
];
/** Thrown by work that was stopped or timed out. */
const deadlineNames = ['TimeoutError', 'AbortError'];
const awayNames = new Set([...brokerNames, ...deadlineNames, 'MaxRetriesPerRequestError']);

/** Errors of the Redis client rarely have a name. */
const redisMessages = /^(command timed out|stream isn't writeable|connection is closed)/i;

const isAwayError = (thrown: Error): boolean =>
  awayNames.has(thrown.name) ||
  redisMessages.test(thrown.message) ||
  isServiceAway(thrown) ||
  (thrown instanceof AggregateError && thrown.errors.length > 0 && thrown.errors.every(isAway));

/** Whether a dependency was unreachable or too late: the same request may succeed later. */
const isAway = (thrown: unknown): boolean =>
  (Error.isError(thrown) && isAwayError(thrown)) || isDatabaseAway(thrown);

/** Another worker has taken the task over: this one was frozen or cut off, and must change nothing. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(taskId: string) {
    super(`the lease of task ${taskId} is lost`);
  }
}

const MAX_CAUSES = 4;

const isExpected = (thrown: unknown): boolean =>
  thrown instanceof LeaseLost ||
  (thrown instanceof ServiceError && thrown.code !== 'unexpected_error') ||
  isAway(thrown);

/** Of several errors, the first stands for all. */
const causeOf = (thrown: unknown): unknown => {
  if (thrown instanceof AggregateError) return thrown.errors[0];
  return Error.isError(thrown) ? thrown.cause : undefined;
};

/** An error and its causes, in one line. */
export const reasonText = (thrown: unknown): string => {
  const parts: string[] = [];
  for (let next = thrown; next !== undefined && parts.length < MAX_CAUSES; next = causeOf(next))
    parts.push(errorText(next));
  return parts.join(' <- ').slice(0, MAX_CHARACTERS);
};

/** A failure as the log shows it: one line if it was foreseen, whole with its stack if not. */
export const failureFields = (thrown: unknown): { reason: string } | { error: unknown } =>
  isExpected(thrown) ? { reason: reasonText(thrown) } : { error: thrown };

/** Work in hand was cut off because this process ends: it has not failed, and another process continues it. */
export class ProcessEnds extends Error {
  override readonly name = 'ProcessEnds';

  constructor() {
    super('the process ends');
  }
}

/**
 * Thrown by a task's handler that knows when another attempt makes sense, such as after a `Retry-After`: the task is due
 * again in `afterMs` instead of after the next pause of its contract. It counts as an attempt unless `isAttempt` is false:
 * for an attempt that began nothing, because a dependency of the task is away.
 */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  readonly afterMs: number;
  readonly isAttempt: boolean;

  constructor(afterMs: number, reason: string, { isAttempt = true }: { readonly isAttempt?: boolean } = {}) {
    super(reason);
    this.afterMs = afterMs;
    this.isAttempt = isAttempt;
  }
}

/** Whether work has failed: a refusal of what was asked, a lost lease, and work that is put off or handed back are outcomes. */
export const isFailure = (thrown: unknown): boolean =>
  thrown instanceof ServiceError
    ? thrown.status >= 500
    : ![LeaseLost, ProcessEnds, RetryLater].some((outcome) => thrown instanceof outcome);

const RETRY_AFTER_SECONDS = 1;

/** The error that a caller gets: 503 if a dependency is unreachable, late or full, 500 for an unexpected error. */
export const toServiceError = (thrown: unknown): ServiceError => {
  if (thrown instanceof ServiceError) return thrown;
  return isAway(thrown)
    ? serviceError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: thrown })
    : serviceError('unexpected_error', { cause: thrown });
};
