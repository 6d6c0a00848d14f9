export { createBatcher } from './async/batcher.ts';
export { createDeadline, remainingMs } from './async/deadline.ts';
export { retryThenSplit } from './async/retry-then-split.ts';
export { Waiters } from './async/waiters.ts';
export { createWakeSignal } from './async/wake-signal.ts';
export { each, walk, walkAll } from './async/walk.ts';
export { hasBegunNothing } from './commands/no-receiver.ts';
export { loadConfig } from './config/config.ts';
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
export { Secret } from './config/secret.ts';
export { readDatabaseClock } from './db/clock.ts';
export { drainDue } from './db/drain-due.ts';
export { type Due, type DueOutcome, dueRows } from './db/due-rows.ts';
export { createSql, type Sql } from './db/named-statements.ts';
export { nextVersion } from './db/next-version.ts';
export {
  type AgingRows,
  type Purge,
  type PurgeOptions,
  purgeEach,
  purgeInBatches,
  purgeOlder,
} from './db/purge.ts';
export { retryConflicts } from './db/retry-conflicts.ts';
export { isDatabaseAway } from './db/sql-state.ts';
export {
  defineService,
  onBroadcast,
  onCommand,
  onEvent,
  onSchedule,
  onTask,
  type Service,
} from './define-service.ts';
export { failureFields, reasonText } from './errors/failure-fields.ts';
export { isServiceAway } from './errors/is-service-away.ts';
export { LeaseLost } from './errors/lease-lost.ts';
export { RetryLater } from './errors/retry-later.ts';
export { toServiceError } from './errors/to-service-error.ts';
export { KNOWS_WHAT_IT_TOLD } from './events/own-lost-events.ts';
export { createKeyRing, type KeyRing, type Macs } from './keys/key-ring.ts';
export type { Seals } from './keys/seals.ts';
export { type Log, writeRecord } from './log/log.ts';
export { createQuickRecords, type QuickRecords } from './log/quick-records.ts';
export { clientNetwork } from './net/client-network.ts';
export type { NewObject, Objects } from './objects/object-store.ts';
export type { Bodies } from './redis/bodies.ts';
export { decodeProjection, encodeProjection } from './redis/projection-codec.ts';
export type { Projections } from './redis/projections.ts';
export { openProjection, type RefusedBecause, sealProjection } from './redis/sealed-projection.ts';
export { runService } from './run/run-service.ts';
export { type RunningService, type StartableService, startService } from './run/start-service.ts';
export { type RunningServices, startServices } from './run/start-services.ts';
export { crashPoint } from './runtime/crash-points.ts';
export * from './runtime/service.ts';
export type { Instruments } from './telemetry/instruments.ts';
export { isTracing, withSpan } from './telemetry/telemetry.ts';
export { withSpans } from './telemetry/with-spans.ts';
