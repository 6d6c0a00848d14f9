import { revokeKeyOperation } from './revoke-key-operation.ts';
import { runFromShell } from './run-operation.ts';

await runFromShell(revokeKeyOperation);
