export { createBackoff, pauseFor, retry } from './async/backoff.ts';
export { createBatcher, nextTurn, retryThenSplit } from './async/batch.ts';
export {
  createDeadline,
  DeadlinePassed,
  endsWithin,
  remainingMs,
  unlessAborted,
  withDeadline,
} from './async/deadline.ts';
export { createKeyedQueue } from './async/keyed-queue.ts';
export { createSemaphore, type Semaphore } from './async/semaphore.ts';
export { createSingleFlight } from './async/single-flight.ts';
export { createWakeSignal, Waiters } from './async/wake.ts';
export { each, walk, walkAll } from './async/walk.ts';
export { loadConfig, Secret } from './config/config.ts';
export {
  baseUrl,
  booleanFlag,
  commaSeparated,
  confidential,
  durationMs,
  keyRing,
  port,
  secret,
  secretUrl,
  url,
  wholeNumber,
} from './config/fields.ts';
export { reachable } from './config/reachable.ts';
export { DATABASE_EPOCH, inTransaction, retryConflicts } from './db/pool.ts';
export {
  type AgingRows,
  type Purge,
  type PurgeOptions,
  purgeEach,
  purgeInBatches,
  purgeOlder,
} from './db/purge.ts';
export {
  createSql,
  FIRST_ID,
  isDatabaseAway,
  nextVersionSql,
  onlyRow,
  readDatabaseClock,
  type Sql,
  type SqlExecutor,
  type Transactional,
} from './db/sql.ts';
export {
  expecting,
  failureFields,
  isServiceAway,
  LeaseLost,
  RetryLater,
  reasonText,
  toServiceError,
} from './errors/errors.ts';
export { type Cipher, createKeyRing, type KeyRing, type Macs } from './keys/key-ring.ts';
export { type Log, writeRecord } from './log/log.ts';
export { createQuickRecords, type QuickRecords } from './log/quick-records.ts';
export { ByteBuffer } from './net/byte-buffer.ts';
export { clientNetwork } from './net/client-network.ts';
export { pick } from './pick.ts';
export type { Bodies } from './redis/bodies.ts';
export {
  decodeProjection,
  encodeProjection,
  openProjection,
  type Projections,
  type RefusalReason,
  signProjection,
} from './redis/projections.ts';
export type { Instruments } from './telemetry/instruments.ts';
export { failSpan, isTracing, withSpan, withSpans } from './telemetry/telemetry.ts';
