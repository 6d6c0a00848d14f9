export { cliExitCodes, sdkRemedies } from './error-tables.ts';
export { pack } from './pack.ts';
export { generateSdkTypes } from './sdk-types.ts';
