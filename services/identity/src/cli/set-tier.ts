import { accountTierOperation } from './account-tier-operation.ts';
import { runFromShell } from './run-operation.ts';

await runFromShell(accountTierOperation);
