export { createRecordingLog as notedLog } from './noted-log.ts';
export { createTestPool, poolClient } from './test-pool.ts';
