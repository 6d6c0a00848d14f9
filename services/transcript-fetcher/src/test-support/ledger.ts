import { fakeLedger } from '@tds/reservations/testing';

type ItemState = 'held' | 'charged' | 'released' | 'refunded';

const STEPS = ['reserveItems', 'resolveItems', 'chargeItems', 'refundItems', 'lookUpJob'] as const;

/** The fake ledger with queries for tests. */
export const createLedger = () => {
  const ledger = fakeLedger();
  const { fail, books } = ledger;
  const statesOf = (ref: string): ItemState[] => {
    const reservation = books().reservations.get(ref);
    return [...(reservation?.items ?? [])].map(([item, is]) =>
      reservation?.refunded.has(item) ? 'refunded' : is,
    );
  };
  return {
    ...ledger,
    setAway: (isAway: boolean): void => {
      for (const step of STEPS) fail(step, isAway ? 'service_unavailable' : null);
    },
    /** Leaves the account this many credits. */
    releaseSlots: (accountId: string, credits: number): void => {
      Object.assign(books().account(accountId), { free: credits, purchased: 0 });
    },
    /** Uses `credits` of the day's cap of keys with this limit. */
    use: (accountId: string, limitId: string, credits: number): void =>
      void books().used.set(`${accountId} ${limitId}`, credits),
    /** The state of a read's only item; undefined if it was never reserved. */
    stateOf: (ref: string): ItemState | undefined => statesOf(ref)[0],
    /** The number of items in a state, of an account or of all. */
    count: (state: ItemState, accountId?: string): number =>
      [...books().reservations.values()]
        .filter((each) => accountId === undefined || each.accountId === accountId)
        .reduce((sum, { ref }) => sum + statesOf(ref).filter((is) => is === state).length, 0),
    /** The number of refs. */
    size: (): number => books().reservations.size,
  };
};
