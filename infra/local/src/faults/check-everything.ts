import path from 'node:path';
import { lookAtBooks } from '../checker/book-checks.ts';
import type { Finding } from '../checker/finding.ts';
import { storedServiceNames } from '../services.ts';
import type { Arena } from './arena.ts';
import { checkSecrets } from './canaries.ts';
import {
  checkAccounts,
  checkBytes,
  checkCachedReads,
  checkOperations,
  checkRecoveries,
} from './history-checks.ts';
import { checkProjections } from './projections-check.ts';
import { checkRevocations } from './revocations.ts';
import { checkSeals, type Seal } from './seals.ts';
import { checkSlowCalls } from './slow-calls.ts';
import { checkToldCharges } from './told-charges.ts';

const placesOf = ({ system }: Arena) => ({
  files: [
    system.logFile,
    ...['postgres', 'nats', 'redis', 'redis-cache'].map((name) => path.join(system.dir, name, 'server.log')),
  ],
  dirs: [path.join(system.dir, 'nats', 'streams')],
  services: storedServiceNames,
});

/** Every promise over the databases, the history, the logs and the broker, of a system at rest. */
export const checkEverything = async (arena: Arena, seals: readonly Seal[]): Promise<Finding[]> => {
  const { evidence, history, customers } = arena;
  return [
    ...(await lookAtBooks(evidence)),
    ...(await checkToldCharges(evidence, history)),
    ...(await checkAccounts(evidence, history)),
    ...(await checkOperations(evidence, history)),
    ...checkBytes(history),
    ...(await checkProjections(evidence, arena.system.redisPort)),
    ...(await checkSeals(evidence, seals)),
    ...checkRevocations(history),
    ...(await checkSecrets(evidence, placesOf(arena), customers.secrets)),
    ...checkCachedReads(history),
    ...checkRecoveries(history),
    ...checkSlowCalls(history),
  ];
};
