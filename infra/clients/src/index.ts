export { cliErrorTables } from './cli-errors.ts';
export { pack } from './pack.ts';
export { sdkTypes } from './sdk-types.ts';
