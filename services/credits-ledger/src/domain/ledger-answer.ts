import type { Balance } from '@tds/contracts';

/** What a statement of the ledger answers for one item. */
export type LedgerAnswer<Outcome extends string = string> = {
  /** `busy`: another transaction kept the account locked, and nothing was changed. */
  readonly outcome: Outcome | 'busy';
  /** Null if no account is known. */
  readonly balance: Balance | null;
  /** Whether an event of this account waits in the outbox. */
  readonly hasEvents: boolean;
};

export type ReserveOutcome =
  | 'reserved'
  | 'settled'
  | 'released'
  | 'capped'
  | 'insufficient'
  | 'frozen'
  | 'closed'
  | 'conflict'
  /** The month in the ref is not open. */
  | 'outside'
  /** The ref is that of a reservation in parts, which is open. */
  | 'in_parts';

export type ResolveOutcome = 'settled' | 'released' | 'unknown';

/** Of a reservation in parts. */
export type PartsAnswer<Outcome extends string = string> = LedgerAnswer<Outcome> & {
  /** Those that are charged: of the parts that the call names, otherwise of all. */
  readonly charged: number[];
  /** How many parts are still held. */
  readonly remaining: number;
};

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
