import type { ReservationState } from '@tds/contracts';

/** An open reservation that is older belongs to no work any more: no operation stays open for a third of this. */
export const ORPHANED_AFTER_MS = 10 * 60 * 1_000;

/** What the ledger has to be asked for; `give up` where it cannot be charged any more, null where both agree. */
export type Remedy = 'settle' | 'charge anew' | 'give up' | 'release' | 'refund' | null;

const remedies = {
  settled: { settled: null, open: 'settle', unknown: 'charge anew', released: 'give up' },
  released: { released: null, unknown: null, open: 'release', settled: 'refund' },
} as const;

/**
 * An operation's last word against what the ledger says of its reservation, `unknown` where it knows none. They differ where
 * one of the two databases was put back to an earlier state.
 */
export const remedyFor = (settlement: keyof typeof remedies, found: ReservationState | 'unknown'): Remedy =>
  remedies[settlement][found];
