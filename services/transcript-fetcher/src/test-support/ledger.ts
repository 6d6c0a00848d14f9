import { fakeLedger } from '@tds/reservations/testing';

type PartState = 'held' | 'charged' | 'given_back' | 'refunded';

const STEPS = ['reserveParts', 'resolveParts', 'chargeParts', 'refundParts', 'lookUpJob'] as const;

/** The fake ledger with what tests of the fetcher ask of it. */
export const createLedger = () => {
  const ledger = fakeLedger();
  const { fail, books } = ledger;
  const statesOf = (ref: string): PartState[] => {
    const held = books().reservations.get(ref);
    return [...(held?.parts ?? [])].map(([part, is]) => (held?.refunded.has(part) ? 'refunded' : is));
  };
  return {
    ...ledger,
    setAway: (isAway: boolean): void => {
      for (const step of STEPS) fail(step, isAway ? 'service_unavailable' : null);
    },
    /** The account has so many credits left. */
    leave: (accountId: string, credits: number): void => {
      Object.assign(books().account(accountId), { free: credits, purchased: 0 });
    },
    /** The keys that share this limit have used so much of their day. */
    use: (accountId: string, limitId: string, credits: number): void =>
      void books().used.set(`${accountId} ${limitId}`, credits),
    /** What became of the one part of a read; undefined if nobody has asked for it. */
    of: (ref: string): PartState | undefined => statesOf(ref)[0],
    /** Parts in one state: of an account, or of all. */
    count: (state: PartState, accountId?: string): number =>
      [...books().reservations.values()]
        .filter((each) => accountId === undefined || each.accountId === accountId)
        .reduce((sum, { ref }) => sum + statesOf(ref).filter((is) => is === state).length, 0),
    /** How many refs it knows. */
    size: (): number => books().reservations.size,
  };
};
