export { watchHidden, withRights } from './object-store.ts';
export { createObjects, objectsConfig, objectVariables } from './objects-config.ts';
