import { revokeKeyOperation, runFromShell } from './run-operation.ts';

await runFromShell(revokeKeyOperation);
