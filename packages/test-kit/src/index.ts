export { copyDatabase, type DatabaseCopy } from './database-copy.ts';
export { describedAnswers } from './described-answers/described-answers.ts';
export { type Bound, eventually } from './eventually.ts';
export { type FakeClock, fakeClock } from './fake-clock.ts';
export { limitDeletes } from './limit-deletes.ts';
export { startSharedServers, stopSharedServers } from './shared-servers.ts';
export { createTestDatabase, type TestDatabase } from './test-database.ts';
export { sharedNatsUrl, startTestNats, type TestNats } from './test-nats.ts';
export { sharedRedisCacheUrl, sharedRedisUrl, startTestRedis, type TestRedis } from './test-redis.ts';
