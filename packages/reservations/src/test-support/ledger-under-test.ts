import { randomUUID } from 'node:crypto';
import { type Command, creditsLedger, newId, type ReplyOf, type RequestOf } from '@tds/contracts';

/** A ledger, called as services call it. New accounts have 100 free credits. */
export type LedgerUnderTest = {
  readonly call: <C extends Command>(command: C, request: RequestOf<C>) => Promise<ReplyOf<C>>;
  /** Adds purchased credits. */
  readonly grant: (accountId: string, credits: number) => Promise<void>;
  /** Opens an account and closes it. */
  readonly close: (accountId: string) => Promise<void>;
};

export const newReservation = () => ({
  accountId: randomUUID(),
  ref: newId(),
  keyId: null,
  requestId: randomUUID(),
  reason: 'job',
  jobId: randomUUID(),
  unit: 10,
  items: [1, 2, 3],
  coverage: 'some' as const,
});

export const ledgerOf = ({ call, grant, close }: LedgerUnderTest) => ({
  ...{ call, grant, close },
  reserve: (request: RequestOf<typeof creditsLedger.reserveItems>) => call(creditsLedger.reserveItems, request),
  resolve: (ref: string, charge: number[], release: number[]) =>
    call(creditsLedger.resolveItems, { ref, charge, release }),
  charge: ({ coverage: _, ...request }: RequestOf<typeof creditsLedger.reserveItems>) =>
    call(creditsLedger.chargeItems, request),
  refund: (ref: string, items: number[]) => call(creditsLedger.refundItems, { ref, items }),
  lookUp: async (...refs: string[]) => (await call(creditsLedger.lookUpItems, { refs })).rows,
  job: async (accountId: string, jobId: string) => {
    const { ledgerEpoch: _, ...found } = await call(creditsLedger.lookUpJob, { accountId, jobId });
    return found;
  },
  balance: async (accountId: string) => {
    const { free, purchased, reserved, debt } = await call(creditsLedger.getBalance, { accountId });
    return { free, purchased, reserved, debt };
  },
});
export type Ledger = ReturnType<typeof ledgerOf>;
