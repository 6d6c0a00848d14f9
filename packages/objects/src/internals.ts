export { watchHidden, withRights } from './object-store.ts';
export { createObjects, objectFields, objectsConfig } from './objects-config.ts';
