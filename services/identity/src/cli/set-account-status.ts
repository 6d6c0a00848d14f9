import { accountStatusOperation, runFromShell } from './run-operation.ts';

await runFromShell(accountStatusOperation);
