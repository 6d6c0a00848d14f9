export { createStepCounter, proven } from '@tds/jest';
export { processEnvironment } from '@tds/servers';
export {
  type Bound,
  boundMs,
  createTestDatabase,
  endWithRun,
  eventually,
  runsAllFiles,
  startSharedServers,
  stopSharedServers,
  type TestDatabase,
  tally,
} from '@tds/servers/testing';
export { codeOf } from './code-of.ts';
export { type CurlRequest, readCurl } from './curl.ts';
export { copyDatabase, type DatabaseCopy } from './database-copy.ts';
export { describedAnswers } from './described-answers/described-answers.ts';
export { findPath, type OpenApiDocument } from './described-answers/openapi-document.ts';
export { type SeenAnswer, watchServer } from './described-answers/seen-answers.ts';
export { awaitDeath, doomedProcesses } from './doomed-processes.ts';
export { dueRows } from './due-rows.ts';
export { type FakeClock, fakeClock } from './fake-clock.ts';
export { internalDescriptions, internalWords } from './internal-words.ts';
export { schemaBreaches } from './json-schema.ts';
export { KEY_RING } from './key-ring.ts';
export { limitDeletes } from './limit-deletes.ts';
export { describeCost, measureSlowness, startCost } from './run-cost.ts';
export {
  BROKERS,
  sharedNatsUrl,
  startTestNats,
  startTestNatsCluster,
  type TestNats,
} from './test-nats.ts';
export { sharedRedisCacheUrl, sharedRedisUrl, startTestRedis, type TestRedis } from './test-redis.ts';
export { testTimeouts } from './test-timeouts.ts';
