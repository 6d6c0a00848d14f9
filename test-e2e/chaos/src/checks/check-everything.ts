import type { Finding } from '@tds/audit';
import { auditBooks, connectProcessor, processorCheck } from '@tds/audit';
import { storedServiceNames } from '@tds/local';
import { checkSecrets } from '#support';
import type { Harness } from '../harness.ts';
import { checkJobs } from './begun-jobs.ts';
import { checkMails } from './chosen-mails.ts';
import { checkZips } from './downloaded-zips.ts';
import { checkListings, checkSearches } from './found-pages.ts';
import {
  checkAccounts,
  checkBytes,
  checkCachedReads,
  checkOperations,
  checkRecoveries,
} from './history-checks.ts';
import { checkStops } from './kept-stops.ts';
import { withoutLost } from './lost-answers.ts';
import { checkOrderlyRestarts } from './orderly-restarts.ts';
import { checkPaidPurchases } from './paid-purchases.ts';
import { checkRefills } from './paid-refills.ts';
import { checkProjections } from './projections-check.ts';
import { checkReceivers } from './reached-receivers.ts';
import { checkWebhooks } from './received-webhooks.ts';
import { checkReportedCharges } from './reported-charges.ts';
import { checkRevocations } from './revocations.ts';
import { checkSeals, type Seal } from './seals.ts';
import { checkSlowCalls } from './slow-calls.ts';
import { checkUploads } from './uploaded-videos.ts';
import { checkStrangers } from './waiting-strangers.ts';

const slotsOf = async ({ system }: Harness) => ({
  files: await system.logs(),
  dirs: system.brokers.map(({ streams }) => streams),
  services: storedServiceNames,
});

/** Others keep what an emitter published and then lost with its database: it cannot be taken back. */
const isForgotten = ({ restores }: Harness, { what }: Finding): boolean =>
  [...restores.keys()].some((service) => what.startsWith(`${service} published what `));

const processorOf = ({ system }: Harness) =>
  processorCheck(connectProcessor(system.payment.origin, 'sk_test_of_chaos'));

/** Every promise over the databases, the history, the logs and the broker, of a system at rest. */
export const checkEverything = async (harness: Harness, seals: readonly Seal[]): Promise<Finding[]> => {
  const { evidence, customers } = harness;
  const history = withoutLost(harness.history, harness.lost);
  return [
    ...(await auditBooks(evidence)).filter((finding) => !isForgotten(harness, finding)),
    ...(await checkReportedCharges(evidence, history)),
    ...(await checkAccounts(evidence, history)),
    ...(await checkOperations(evidence, history)),
    ...checkBytes(history),
    ...(await checkSearches(evidence, history)),
    ...checkListings(history),
    ...(await checkJobs(evidence, history)),
    ...checkZips(history),
    ...(await checkPaidPurchases(harness)),
    ...(await checkRefills(harness)),
    ...(await auditBooks(evidence, [processorOf(harness)])),
    ...(await checkUploads(harness)),
    ...(await checkWebhooks({ ...harness, history })),
    ...(await checkReceivers(harness)),
    ...(await checkMails(harness)),
    ...(await checkStops(harness)),
    ...(await checkStrangers(evidence)),
    ...(await checkProjections(evidence, harness.system.redisUrl)),
    ...(harness.lost === null ? await checkSeals(evidence, seals) : []),
    ...checkRevocations(harness.history),
    ...(await checkSecrets(evidence, await slotsOf(harness), customers.secrets)),
    ...checkCachedReads(history),
    ...checkRecoveries(history),
    ...checkSlowCalls(history),
    ...checkOrderlyRestarts(history, harness.system.processes),
  ];
};
