export { createBackoff, pauseFor } from './async/backoff.ts';
export { whenSettled } from './async/batch.ts';
export { TimeLimitExceeded, withinTimeLimit } from './async/deadline.ts';
export { createSemaphore, type Semaphore } from './async/semaphore.ts';
export { ConfigError } from './config/config.ts';
export {
  createPool,
  DATABASE_EPOCH,
  endWithConnections,
  inTransaction,
  type PoolOptions,
} from './db/pool.ts';
export { named, sqlExecutor } from './db/sql.ts';
export { errorText, ProcessEnds } from './errors/errors.ts';
export {
  type Check,
  type EventLoopWatch,
  type HealthServer,
  runChecks,
  startHealthServer,
  watchEventLoop,
} from './health/health.ts';
export { createDatabaseWatch, type DatabaseWatch } from './health/watch-database.ts';
export {
  createLog,
  createWideRecord,
  currentContext,
  type LogLevel,
  type RecordFields,
  runInContext,
  type WideRecord,
} from './log/log.ts';
export { createBodies } from './redis/bodies.ts';
export { createProjections, type OnProjectionFailure } from './redis/projections.ts';
export { createInstruments } from './telemetry/instruments.ts';
export { createMetrics, type Metrics } from './telemetry/metrics.ts';
export { currentTraceparent, type SpanOptions, startTelemetry } from './telemetry/telemetry.ts';
export { tracePool } from './telemetry/trace-pool.ts';
