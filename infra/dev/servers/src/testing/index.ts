export { type Bound, boundMs, eventually } from './eventually.ts';
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
export { readTally, tally } from './tally.ts';
export { createTestDatabase, type TestDatabase } from './test-database.ts';
export { throwawayFolder } from './throwaway-folder.ts';
export { unpackPrograms } from './unpack-programs.ts';
