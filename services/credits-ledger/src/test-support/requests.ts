import { randomUUID } from 'node:crypto';
import { creditsLedger, type RequestOf } from '@tds/contracts';
import { type createCaller, testContext } from '@tds/kit/testing';

type Reserve = RequestOf<typeof creditsLedger.reserveItems>;

/** A reserve of one item of one credit, as services send it. */
export const newReserve = (fields: Partial<Reserve> = {}): Reserve => ({
  accountId: randomUUID(),
  ref: randomUUID(),
  unit: 1,
  items: [1],
  coverage: 'all',
  keyId: randomUUID(),
  requestId: randomUUID(),
  reason: 'transcript',
  ...fields,
});

/** The calls of services; part 1 by default. */
export const createRequests = ({ call }: Pick<ReturnType<typeof createCaller>, 'call'>) => {
  const resolve = (ref: string, charge: number[], release: number[]) =>
    call(creditsLedger.resolveItems, { ref, charge, release }, testContext());
  return {
    reserve: (fields: Partial<Reserve> = {}, context = testContext()) =>
      call(creditsLedger.reserveItems, newReserve(fields), context),
    charge: (ref: string, items = [1]) => resolve(ref, items, []),
    release: (ref: string, items = [1]) => resolve(ref, [], items),
    readBalance: (accountId: string) => call(creditsLedger.getBalance, { accountId }, testContext()),
  };
};
