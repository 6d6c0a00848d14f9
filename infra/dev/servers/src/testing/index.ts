export { type Bound, eventually } from './eventually.ts';
export { shiftedClock } from './faketime.ts';
export { findKubectl } from './find-kubectl.ts';
export { findOldestNats } from './find-oldest-nats.ts';
export { ensureNginx } from './nginx.ts';
export {
  endWithRun,
  runsAllFiles,
  sharedAddress,
  startSharedServers,
  stopSharedServers,
} from './shared-servers.ts';
export { createTestDatabase, type TestDatabase } from './test-database.ts';
export { throwawayFolder } from './throwaway-folder.ts';
