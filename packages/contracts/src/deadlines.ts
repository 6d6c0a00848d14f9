/**
 * How long our own parts wait for each other before a caller is refused. A machine that is busy is slow and does not refuse, so each bound is
 * many times what the step takes at a load of ten processes for each core. None of them is there to notice that a neighbour is dead: the broker
 * says at once that no instance receives a command, a connection that breaks ends its requests, and a database that refuses connections
 * says so. They bound what hangs. Work without a waiting caller (publishing, acknowledging, reports) repeats itself and has its pauses beside it.
 */

/** A command that names no other: several statements, each of which may wait for a connection. */
export const COMMAND_MS = 20_000;
/** What a wait that is part of a command's request (`waitMs`) leaves for the steps before and after it. */
export const HOPS_MS = 10_000;
/** Longest that a caller waits for cold work before it gets a 202 (specification, part 8). */
export const COLD_WAIT_MS = 25_000;
/** As for cold work (specification, part 8): a listing that is being made. */
export const LISTING_WAIT_MS = 25_000;
/** A search has no polling id, so it is answered within the wait for cold work; the platform itself has 15 s of it. */
export const SEARCH_WAIT_MS = 25_000;
/** An archive that is being built: its caller retries after a 409. */
export const ARCHIVE_WAIT_MS = 20_000;
/** A job that is created; repeats of one with the same Idempotency-Key wait as long for the first. */
export const JOB_WAIT_MS = 25_000;
/** A monitor that is created: a name, an address of its own and a feed are looked up before the answer. */
export const MONITOR_WAIT_MS = 25_000;
/** An address, a handle or a name that the platform resolves, over each of its routes. */
export const RESOLUTION_WAIT_MS = 15_000;
/** The payment processor is asked, and asked again after its own limit of 8 s. */
export const PROCESSOR_WAIT_MS = 20_000;
/** A name server may take 3 s, and is asked twice. */
export const ADDRESS_WAIT_MS = 8_000;

/** The caller of a key or session that the gateway does not know yet. Ends before COMMAND_MS, so that the request hears of it. */
export const PRINCIPAL_WAIT_MS = 15_000;
/** The balance is a courtesy on top of an answer: without it the last one known is sent. */
export const BALANCE_WAIT_MS = 1_000;
/** Hints of what is cached leave the answer right without them. */
export const CACHED_HINTS_WAIT_MS = 1_000;
/** A connection to the broker that is being made anew. Nothing has been sent before, so refusing is certain. */
export const BROKER_WAIT_MS = 2_000;
/** After the connection to the broker broke, answers may still come over the next one; later they are lost. */
export const LOST_ANSWER_MS = 2_000;

/** A free connection of the pool, or a new one. Ends before the command does, so that its caller hears why. */
export const POOL_WAIT_MS = 10_000;
/** A lock that another transaction holds: these take milliseconds, and their number in line is bounded. */
export const LOCK_WAIT_MS = 10_000;
/** One statement. Above LOCK_WAIT_MS, so that a lock is named as what it is. */
export const STATEMENT_MS = 15_000;
/** The same, counted here: for a database that is frozen and enforces nothing. */
export const QUERY_MS = STATEMENT_MS + 2_000;
/** A transaction of several statements, and what happens between them. Above STATEMENT_MS. */
export const TRANSACTION_MS = 20_000;
/** A transaction whose process has stopped in the middle holds its locks for no longer. */
export const IDLE_TRANSACTION_MS = 20_000;

/**
 * A command of a service to Redis. The gateway continues without Redis after REDIS_GUARD_MS: it can answer from memory, and a slow Redis must
 * not slow cached reads.
 */
export const REDIS_MS = 1_000;
export const REDIS_GUARD_MS = 50;

/** A part of an object: up to megabytes, from a database or a bucket that is busy. */
export const OBJECT_MS = 30_000;
/** A connection for it. */
export const OBJECT_CONNECTION_MS = 10_000;
