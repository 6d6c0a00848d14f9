/**
 * Time limits between our own processes. They bound only what hangs, so each is many times the step's time at a load of ten processes per
 * core. Dead neighbours are noticed without them: the broker reports a command without receivers, and broken connections end their requests.
 * Work without a waiting caller (publishing, acknowledging, reports) retries by itself.
 */

/** The default of a command: several statements, each of which may wait for a connection. */
export const COMMAND_MS = 20_000;
/** Time around a command's own wait (`waitMs`), for the steps before and after it. */
export const HOPS_MS = 10_000;
/** Longest that a caller waits for cold work before it gets a 202 (specification, part 8). */
export const COLD_WAIT_MS = 25_000;
/** The wait for a listing, like that for cold work (specification, part 8). */
export const LISTING_WAIT_MS = 25_000;
/** A search has no polling id, so it is answered within the wait for cold work; the platform itself has 15 s of it. */
export const SEARCH_WAIT_MS = 25_000;
/** The wait for an archive; then its caller gets 409 and retries. */
export const ARCHIVE_WAIT_MS = 20_000;
/** Creating a job; repeats with the same Idempotency-Key wait this long for the first. */
export const JOB_WAIT_MS = 25_000;
/** Creating a monitor, which looks up a name, a webhook address and a feed. */
export const MONITOR_WAIT_MS = 25_000;
/** An address, a handle or a name that the platform resolves, over each of its routes. */
export const RESOLUTION_WAIT_MS = 15_000;
/** Two requests to the payment processor, of 8 s each. */
export const PROCESSOR_WAIT_MS = 20_000;
/** Two queries of a name server, of 3 s each. */
export const ADDRESS_WAIT_MS = 8_000;

/** Looking up an unknown key or session. Below COMMAND_MS, so that the request still gets the error. */
export const PRINCIPAL_WAIT_MS = 15_000;
/** Reading a balance for the header; after that the last known one is sent. */
export const BALANCE_WAIT_MS = 1_000;
/** Reading which rows are cached, a hint that answers may lack. */
export const CACHED_HINTS_WAIT_MS = 1_000;

/** How long a job's creation, which has a second, waits for publish dates. Each spares a request to the platform. */
export const PUBLISH_DATES_WAIT_MS = 300;
/** Waiting for a new connection to the broker. Nothing has been sent, so an error is certain. */
export const BROKER_WAIT_MS = 2_000;
/** Waiting for an instance that receives a command: all may reconnect or restart at once. */
export const RECEIVER_WAIT_MS = 500;
/** A command that is still at work sends a heartbeat this often. */
export const HEARTBEAT_MS = 300;
/** An idempotent command without a heartbeat is sent again: the process that has it may be dead. */
export const SILENCE_MS = 1_000;
/** After the connection to the broker broke, answers may arrive over the next one until then. */
export const LOST_ANSWER_MS = 2_000;

/** Waiting for a connection of the pool. Below COMMAND_MS, so that the caller gets the reason. */
export const POOL_WAIT_MS = 10_000;
/** Waiting for a lock: transactions take milliseconds, and few queue for one lock. */
export const LOCK_WAIT_MS = 10_000;
/** One statement. Above LOCK_WAIT_MS, so that a lock is reported as such. */
export const STATEMENT_MS = 15_000;
/** The same, measured by the client, for a frozen database. */
export const QUERY_MS = STATEMENT_MS + 2_000;
/** A transaction of several statements with the work between them. Above STATEMENT_MS. */
export const TRANSACTION_MS = 20_000;
/** The database ends an idle transaction after this, which releases the locks of a stopped process. */
export const IDLE_TRANSACTION_MS = 20_000;

/**
 * A command of a service to Redis. The gateway continues without Redis after REDIS_GUARD_MS: it can answer from memory, and a slow Redis must
 * not slow cached reads.
 */
export const REDIS_MS = 1_000;
export const REDIS_GUARD_MS = 50;

/** A part of an object: up to megabytes from a busy database or bucket. */
export const OBJECT_MS = 30_000;
/** A connection for it. */
export const OBJECT_CONNECTION_MS = 10_000;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
