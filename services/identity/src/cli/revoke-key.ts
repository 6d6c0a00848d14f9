import { revokeKeyOperation } from './operations.ts';
import { runFromShell } from './run-operation.ts';

await runFromShell(revokeKeyOperation);
