export { exitCodesTable } from './exit-codes.ts';
export { pack } from './pack.ts';
export { sdkTypes } from './sdk-types.ts';
