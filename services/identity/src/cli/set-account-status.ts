import { accountStatusOperation } from './account-status-operation.ts';
import { runFromShell } from './run-operation.ts';

await runFromShell(accountStatusOperation);
