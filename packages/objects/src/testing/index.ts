export { createTestObjects, type TestObjects } from './test-objects.ts';
