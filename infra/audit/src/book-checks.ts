import { setTimeout as delay } from 'node:timers/promises';
import { accountStatusCheck } from './account-status-check.ts';
import { archivesCheck } from './archives-check.ts';
import { chargesCheck } from './charges-check.ts';
import type { BookCheck } from './check.ts';
import { coldCountsCheck } from './cold-counts-check.ts';
import { storedDeliveriesCheck } from './deliveries-check.ts';
import { type Evidence, openEvidence } from './evidence.ts';
import { type Finding, inBoth } from './finding.ts';
import { givenUpCheck } from './given-up-check.ts';
import { jobsCheck } from './jobs-check.ts';
import { keyStatusCheck } from './key-status-check.ts';
import { heldCreditsCheck, ledgerCheck, monthAheadCheck, newBooksCheck } from './ledger-check.ts';
import { eventsCheck, openWorkCheck } from './messages-check.ts';
import { monitorsCheck } from './monitors-check.ts';
import { openRowsCheck } from './open-rows-check.ts';
import { outagesCheck } from './outages-check.ts';
import { placesCheck } from './places-check.ts';
import { purchasesCheck } from './purchases-check.ts';
import { searchesCheck } from './searches-check.ts';
import { storedBytesCheck } from './stored-bytes-check.ts';
import { thresholdsCheck } from './thresholds-check.ts';
import { webhooksCheck } from './webhooks-check.ts';

/** Every promise that the databases alone can show to be kept or broken. */
export const bookChecks: readonly BookCheck[] = [
  ledgerCheck,
  heldCreditsCheck,
  monthAheadCheck,
  chargesCheck,
  searchesCheck,
  jobsCheck,
  purchasesCheck,
  outagesCheck,
  storedDeliveriesCheck,
  storedBytesCheck,
  archivesCheck,
  webhooksCheck,
  thresholdsCheck,
  monitorsCheck,
  coldCountsCheck,
  placesCheck,
  eventsCheck,
  accountStatusCheck,
  keyStatusCheck,
  openRowsCheck,
  openWorkCheck,
  givenUpCheck,
];

/** What takes the same time however old the books are. */
export const newBookChecks: readonly BookCheck[] = [newBooksCheck, monthAheadCheck];

/** Everything that is off, as of one look. */
export const lookAtBooks = async (evidence: Evidence, checks = bookChecks): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const { invariant, look } of checks)
    findings.push(...(await look(evidence)).map((loose) => ({ invariant, ...loose })));
  return findings;
};

const LOOK_AGAIN_MS = 3_000;

/** Of a system that works on meanwhile: databases cannot be read in one moment, so only what stays off counts. */
export const checkRunningBooks = async (
  addressOf: (service: string) => string,
  checks = bookChecks,
): Promise<Finding[]> => {
  const evidence = openEvidence(addressOf, { atRest: false });
  const first = await lookAtBooks(evidence, checks);
  if (first.length === 0) return [];
  await delay(LOOK_AGAIN_MS);
  return inBoth(first, await lookAtBooks(evidence, checks));
};
