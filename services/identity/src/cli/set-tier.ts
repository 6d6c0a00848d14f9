import { accountTierOperation, runFromShell } from './run-operation.ts';

await runFromShell(accountTierOperation);
