import type { Balance, Lacking } from '@tds/contracts';

/** The answer to one item of a ledger statement. */
export type LedgerAnswer<Outcome extends string = string> = {
  /** `busy`: another transaction has locked the account, and nothing was changed. */
  readonly outcome: Outcome | 'busy';
  /** Null if the account is unknown. */
  readonly balance: Balance | null;
  /** Whether the statement saved an event. */
  readonly hasEvents: boolean;
};

/** The answer to an operation on parts of a reservation. */
export type PartsAnswer<Outcome extends string = string> = LedgerAnswer<Outcome> & {
  /** For a reserve: its parts that are held or charged. For a settlement or release: all parts that are still held. */
  readonly held: number[];
  /** The parts of the operation that are charged. */
  readonly charged: number[];
  readonly lacked: Lacking | null;
  readonly capLeft: number | null;
};

export type ReserveOutcome =
  | 'reserved'
  /** None of these parts is held: they were charged or given back before. */
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
