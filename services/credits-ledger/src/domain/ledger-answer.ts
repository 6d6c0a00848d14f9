import type { Balance, Lacking } from '@tds/contracts';

/** What a statement of the ledger answers for one item. */
export type LedgerAnswer<Outcome extends string = string> = {
  /** `busy`: another transaction kept the account locked, and nothing was changed. */
  readonly outcome: Outcome | 'busy';
  /** Null if no account is known. */
  readonly balance: Balance | null;
  /** Whether an event of this account waits in the outbox. */
  readonly hasEvents: boolean;
};

/** Of what is done with parts of a reservation. */
export type PartsAnswer<Outcome extends string = string> = LedgerAnswer<Outcome> & {
  /** Of a reserve: of its parts, those that are held or charged. Otherwise all that are still held. */
  readonly held: number[];
  /** Of the parts that the call names. */
  readonly charged: number[];
  readonly lacked: Lacking | null;
  readonly capLeft: number | null;
};

export type ReserveOutcome =
  | 'reserved'
  /** Nothing of these parts is held: they were charged, or given back. */
  | 'settled'
  | 'released'
  | 'capped'
  | 'insufficient'
  | 'frozen'
  | 'closed'
  | 'conflict'
  /** The month in the ref is not open. */
  | 'outside';

export type ResolveOutcome = 'settled' | 'released' | 'unknown';
export type ChargeOutcome = 'charged' | 'frozen' | 'closed' | 'conflict' | 'outside';
export type RefundOutcome = 'granted' | 'closed' | 'unknown';

/** The newest balance of each account among the answers. */
export const newestBalances = (answers: readonly LedgerAnswer[]): Balance[] => {
  const newest = new Map<string, Balance>();
  for (const { balance } of answers) {
    if (balance && balance.version >= (newest.get(balance.accountId)?.version ?? 0)) {
      newest.set(balance.accountId, balance);
    }
  }
  return [...newest.values()];
};
