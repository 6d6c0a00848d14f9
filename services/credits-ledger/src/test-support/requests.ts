import { randomUUID } from 'node:crypto';
import { creditsLedger, type RequestOf } from '@tds/contracts';
import { type callerOf, testContext } from '@tds/kit/testing';

type Reserve = RequestOf<typeof creditsLedger.reserveParts>;

/** A reserve of one part of one credit, as services send it. */
export const newReserve = (fields: Partial<Reserve> = {}): Reserve => ({
  accountId: randomUUID(),
  ref: randomUUID(),
  unit: 1,
  parts: [1],
  coverage: 'all',
  keyId: randomUUID(),
  requestId: randomUUID(),
  reason: 'transcript',
  ...fields,
});

/** The calls of services; part 1 by default. */
export const createRequests = ({ call }: Pick<ReturnType<typeof callerOf>, 'call'>) => {
  const resolve = (ref: string, charge: number[], release: number[]) =>
    call(creditsLedger.resolveParts, { ref, charge, release }, testContext());
  return {
    reserve: (fields: Partial<Reserve> = {}, context = testContext()) =>
      call(creditsLedger.reserveParts, newReserve(fields), context),
    charge: (ref: string, parts = [1]) => resolve(ref, parts, []),
    release: (ref: string, parts = [1]) => resolve(ref, [], parts),
    readBalance: (accountId: string) => call(creditsLedger.getBalance, { accountId }, testContext()),
  };
};
