import { describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/contracts';
import type { Admission } from '../admission/admission.ts';
import { createBalanceBook } from '../admission/balance-book.ts';
import { keyLimits } from '../admission/limits.ts';
import { openExchange } from '../http/exchange.ts';
import { newBalance, newPrincipal } from '../test-support/builders.ts';
import { createLetIn } from './let-in.ts';
import { createNetworkGate } from './network-gate.ts';
import { createPrincipalMemory } from './principal-memory.ts';

const principal = newPrincipal();
const learnt: Admission = {
  ...{ principal, isLearnt: true, waitMs: 0, balance: null, read: 'none' },
};

/** A key that nobody here knows, Redis answering in turn, and identity failing with the error. */
const letInWith = (answers: (Admission | null)[], error: Error) => {
  const clock = () => 0;
  const letIn = createLetIn({
    call: (async () => newBalance(principal.accountId)) as never,
    admit: {
      atOnce: () => null,
      sessionWaitMs: () => 0,
      renew: async () => null,
      ask: async () => answers.shift() ?? null,
    },
    gate: createNetworkGate(clock, 30),
    memory: createPrincipalMemory(clock),
    lookUpKey: () => Promise.reject(error),
    book: createBalanceBook((async () => newBalance(principal.accountId)) as never, clock),
    reads: { settle: () => {}, giveBack: () => {} },
    stored: { find: async () => null },
    clock,
    limits: keyLimits,
  });
  return letIn.ask(openExchange(), { kind: 'key', digest: 'digest' }, null, () => 'network');
};

describe('a key that nobody here knows, while identity is away', () => {
  it('is let in by a projection that Redis was only late with', async () => {
    const letIn = letInWith([null, learnt], serviceError('service_unavailable'));
    await expect(letIn).resolves.toMatchObject({ principal });
  });

  it('has to come again where Redis is away as well', async () => {
    const letIn = letInWith([null, null], serviceError('service_unavailable'));
    await expect(letIn).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('is refused on identity`s word, whatever Redis says later', async () => {
    const letIn = letInWith([null, learnt], serviceError('invalid_api_key'));
    await expect(letIn).rejects.toMatchObject({ code: 'invalid_api_key' });
  });
});
