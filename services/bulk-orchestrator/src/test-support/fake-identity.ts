import { randomUUID } from 'node:crypto';
import { identity } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { createFake } from '@tds/kit/testing';

/** An identity in memory: every key is live and unbounded, unless a test says otherwise. */
export const fakeIdentity = () => {
  const bounded = new Set<string>();
  const heirs = new Map<string, { readonly payingKeyId: string; readonly limitId: string }>();
  const fake = createFake(identity, {
    checkOwnWork: async ({ keyId }) => {
      if (bounded.has(keyId)) throw serviceError('begun_by_another_key');
      return {};
    },
    getKeyPhase: async ({ keyId }) => ({
      ...{ accountStatus: 'active', tier: 'paid', accountCreatedAt: '2026-01-02T00:00:00.000Z' },
      ...{ phase: 'active', limitId: null, dailyCreditCap: null, ...heirs.get(keyId ?? '') },
    }),
  });
  return {
    service: fake.service,
    /** The key may change only what it has begun. */
    binds: (keyId: string) => bounded.add(keyId),
    /** The work of the key was passed on. */
    passesOn: (keyId: string, limitId: string) => heirs.set(keyId, { payingKeyId: randomUUID(), limitId }),
  };
};
