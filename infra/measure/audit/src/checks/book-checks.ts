import { setTimeout as delay } from 'node:timers/promises';
import { archivesCheck } from './archives-check.ts';
import { chargesCheck } from './charges-check.ts';
import { type BookCheck, type Evidence, type Finding, findRepeated, openEvidence } from './evidence.ts';
import {
  coldCountsCheck,
  openRowsCheck,
  slotsCheck,
  storedBytesCheck,
  storedDeliveriesCheck,
} from './fetcher-check.ts';
import { jobsCheck } from './jobs-check.ts';
import { heldCreditsCheck, ledgerCheck, monthAheadCheck, newBooksCheck } from './ledger-check.ts';
import { libraryCheck } from './library-check.ts';
import { eventsCheck, givenUpCheck, openWorkCheck } from './messages-check.ts';
import { monitorsCheck } from './monitors-check.ts';
import { outagesCheck } from './outages-check.ts';
import { peopleCheck } from './people-check.ts';
import { accountStatusCheck, keyStatusCheck, thresholdsCheck } from './projections-check.ts';
import { purchasesCheck } from './purchases-check.ts';
import { searchesCheck } from './searches-check.ts';
import { webhooksCheck } from './webhooks-check.ts';

/** Every promise that the databases alone can prove. */
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
  libraryCheck,
  archivesCheck,
  webhooksCheck,
  thresholdsCheck,
  monitorsCheck,
  coldCountsCheck,
  slotsCheck,
  eventsCheck,
  accountStatusCheck,
  keyStatusCheck,
  peopleCheck,
  openRowsCheck,
  openWorkCheck,
  givenUpCheck,
];

/** Their time does not grow with the age of the books. */
export const newBookChecks: readonly BookCheck[] = [newBooksCheck, monthAheadCheck];

/** Gets the promise that is checked next. */
type OnCheck = (promise: string) => void;

/** All breaches, as of one moment. */
export const auditBooks = async (
  evidence: Evidence,
  checks = bookChecks,
  onCheck: OnCheck = () => {},
): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const { invariant, promise, check } of checks) {
    onCheck(promise);
    findings.push(...(await check(evidence)).map((breach) => ({ invariant, ...breach })));
  }
  return findings;
};

const RECHECK_DELAY_MS = 3_000;

/** Of a running system: its databases cannot be read at one instant, so only breaches that stay count. */
export const checkRunningBooks = async (
  addressOf: (service: string) => string,
  checks = bookChecks,
  onCheck?: OnCheck,
): Promise<Finding[]> => {
  const evidence = openEvidence(addressOf, { atRest: false });
  const first = await auditBooks(evidence, checks, onCheck);
  if (first.length === 0) return [];
  await delay(RECHECK_DELAY_MS);
  return findRepeated(first, await auditBooks(evidence, checks, onCheck));
};
