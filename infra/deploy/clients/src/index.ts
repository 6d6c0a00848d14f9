export { cliExitCodes, sdkRemedies } from './error-tables.ts';
export { pack } from './pack.ts';
export { sdkTypes } from './sdk-types.ts';
