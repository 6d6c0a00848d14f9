export { createBatcher, retryThenSplit } from './async/batcher.ts';
export { each, walk, walkAll } from './async/concurrency.ts';
export { createDeadline, createWakeSignal, remainingMs, Waiters } from './async/waiting.ts';
export { hasBegunNothing } from './commands/call.ts';
export { loadConfig, Secret } from './config/config.ts';
export {
  booleanFlag,
  commaSeparated,
  durationMs,
  keyRing,
  port,
  secret,
  secretUrl,
  url,
  wholeNumber,
} from './config/fields.ts';
export { nextVersion, readDatabaseClock } from './db/clock.ts';
export { type Due, type DueOutcome, drainDue, dueRows } from './db/due-rows.ts';
export {
  type AgingRows,
  type Purge,
  type PurgeOptions,
  purgeEach,
  purgeInBatches,
  purgeOlder,
} from './db/purge.ts';
export { createSql, isDatabaseAway, type Sql } from './db/sql.ts';
export { retryConflicts } from './db/transactions.ts';
export {
  defineService,
  onBroadcast,
  onCommand,
  onEvent,
  onSchedule,
  onTask,
  type Service,
} from './define-service.ts';
export {
  failureFields,
  isServiceAway,
  LeaseLost,
  RetryLater,
  reasonText,
  toServiceError,
} from './errors/errors.ts';
export { KNOWS_WHAT_IT_TOLD } from './events/own-lost-events.ts';
export type { Seals } from './keys/key-ring.ts';
export { createKeyRing, type KeyRing, type Macs } from './keys/key-ring.ts';
export { type Log, writeRecord } from './log/log.ts';
export { createQuickRecords, type QuickRecords } from './log/quick-records.ts';
export { clientNetwork } from './net/client-network.ts';
export type { NewObject, Objects } from './objects/object-store.ts';
export type { Bodies } from './redis/bodies.ts';
export type { Projections } from './redis/projections.ts';
export {
  decodeProjection,
  encodeProjection,
  openProjection,
  type RefusedBecause,
  sealProjection,
} from './redis/projections.ts';
export { type RunningServices, runService, startServices } from './run/run-service.ts';
export { type RunningService, type StartableService, startService } from './run/start-service.ts';
export { crashPoint } from './runtime/crash-points.ts';
export * from './runtime/service.ts';
export type { Instruments } from './telemetry/instruments.ts';
export { isTracing, withSpan, withSpans } from './telemetry/telemetry.ts';
