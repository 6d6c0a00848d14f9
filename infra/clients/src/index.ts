export { pack } from './pack.ts';
export { sdkTypes } from './sdk-types.ts';
