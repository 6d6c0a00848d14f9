import { isDatabaseAway } from '../db/sql-state.ts';

/** What the broker's client throws while the broker is away or nobody answers there. */
const brokerNames = [
  ...['NoResponders', 'RequestError', 'ConnectionError', 'ClosedConnectionError'],
  ...['DrainingConnectionError', 'JetStreamError', 'JetStreamStatusError', 'JetStreamApiError'],
  ...['JetStreamNotEnabled', 'ConsumerNotFoundError', 'StreamNotFoundError'],
];
/** Thrown by whatever was told to stop, or to take no longer. */
const deadlineNames = ['TimeoutError', 'AbortError'];
const awayNames = new Set([...brokerNames, ...deadlineNames]);

/** Whether a dependency that was away or too late, not the request, is the reason: later, the same may succeed. */
export const isAway = (thrown: unknown): boolean =>
  (Error.isError(thrown) && awayNames.has(thrown.name)) || isDatabaseAway(thrown);
