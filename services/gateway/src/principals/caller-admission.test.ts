import { describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import type { Admission } from '../admission/admission.ts';
import { createBalanceCache } from '../admission/balance-cache.ts';
import { keyLimits } from '../admission/limits.ts';
import { newBalance, newPrincipal } from '../test-support/builders.ts';
import { openExchange } from '../wire/exchange.ts';
import { createCallerAdmission } from './caller-admission.ts';
import { createNetworkGate, unknownCredentials } from './network-gate.ts';
import { createPrincipalMemory } from './projected-principals.ts';

const principal = newPrincipal();
const newAdmission: Admission = {
  principal,
  isNew: true,
  waitMs: 0,
  balance: null,
  read: 'none',
};

/** A key unknown to this process, Redis answering in turn, and identity failing with the error. */
const admissionWith = (answers: (Admission | null)[], error: Error) => {
  const clock = () => 0;
  const callerAdmission = createCallerAdmission({
    call: (async () => newBalance(principal.accountId)) as never,
    admit: {
      decideLocally: () => null,
      sessionWaitMs: () => 0,
      renew: async () => null,
      ask: async () => answers.shift() ?? null,
    },
    gate: createNetworkGate(clock, 30, unknownCredentials),
    memory: createPrincipalMemory(clock),
    lookUpKey: () => Promise.reject(error),
    balances: createBalanceCache((async () => newBalance(principal.accountId)) as never, clock),
    reads: { settle: () => {}, release: () => {} },
    stored: { find: async () => null },
    clock,
    limits: keyLimits,
  });
  return callerAdmission.admit(openExchange(), { kind: 'key', digest: 'digest' }, null, () => 'network');
};

describe('a key unknown to this process, while identity is away', () => {
  it('is admitted by a projection that Redis returned late', async () => {
    const callerAdmission = admissionWith([null, newAdmission], serviceError('service_unavailable'));
    await expect(callerAdmission).resolves.toMatchObject({ principal });
  });

  it('is asked to retry if Redis is away too', async () => {
    const callerAdmission = admissionWith([null, null], serviceError('service_unavailable'));
    await expect(callerAdmission).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('is refused once identity refuses it, whatever Redis returns later', async () => {
    const callerAdmission = admissionWith([null, newAdmission], serviceError('invalid_api_key'));
    await expect(callerAdmission).rejects.toMatchObject({ code: 'invalid_api_key' });
  });
});
