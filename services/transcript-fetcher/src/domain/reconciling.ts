import type { FoundReservation } from '@tds/contracts';

/** An open reservation that is older belongs to no work any more: no operation stays open for a third of this. */
export const ORPHANED_AFTER_MS = 10 * 60 * 1_000;

/** What the ledger has to be asked for; `give up` if it cannot be charged any more, null if both agree. */
export type Remedy = 'settle' | 'charge anew' | 'give up' | 'release' | 'refund' | null;

const remedies = {
  settled: { settled: null, open: 'settle', unknown: 'charge anew', released: 'give up' },
  released: { released: null, unknown: null, open: 'release', settled: 'refund' },
} as const;

/**
 * Compares an operation's last word with what the ledger found of its reservation. They differ after one of the two databases
 * was put back to an earlier state. A ledger of the release before does not say what it has refunded: it is asked to again,
 * which changes nothing.
 */
export const remedyFor = (
  settlement: keyof typeof remedies,
  found: Pick<FoundReservation, 'state' | 'isRefunded'> | undefined,
): Remedy => {
  const remedy = remedies[settlement][found?.state ?? 'unknown'];
  return remedy === 'refund' && found?.isRefunded ? null : remedy;
};
