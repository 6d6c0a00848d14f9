export { createTestObjects } from './test-objects.ts';
