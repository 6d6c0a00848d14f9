import { isDatabaseAway } from '../db/sql-state.ts';
import { isServiceAway } from './is-service-away.ts';

/** What the broker's client throws while the broker is away or nobody answers there. */
const brokerNames = [
  ...['NoResponders', 'RequestError', 'ConnectionError', 'ClosedConnectionError'],
  ...['DrainingConnectionError', 'JetStreamError', 'JetStreamStatusError', 'JetStreamApiError'],
  ...['JetStreamNotEnabled', 'ConsumerNotFoundError', 'StreamNotFoundError'],
];
/** Thrown by whatever was told to stop, or to take no longer. */
const deadlineNames = ['TimeoutError', 'AbortError'];
const awayNames = new Set([...brokerNames, ...deadlineNames, 'MaxRetriesPerRequestError']);

/** What Redis' client throws has hardly ever a name. */
const redisMessages = /^(command timed out|stream isn't writeable|connection is closed)/i;

const isAwayError = (thrown: Error): boolean =>
  awayNames.has(thrown.name) ||
  redisMessages.test(thrown.message) ||
  isServiceAway(thrown) ||
  (thrown instanceof AggregateError && thrown.errors.length > 0 && thrown.errors.every(isAway));

/** Whether a dependency that was away or too late, not the request, is the reason: later, the same may succeed. */
export const isAway = (thrown: unknown): boolean =>
  (Error.isError(thrown) && isAwayError(thrown)) || isDatabaseAway(thrown);
