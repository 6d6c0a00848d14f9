export { readProjection } from './read-projection.ts';
export { createRecordingLog } from './recording-log.ts';
export { createTestPool, poolClient } from './test-pool.ts';
