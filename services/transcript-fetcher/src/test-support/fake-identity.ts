import { identity, type ReplyOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { createFake } from '@tds/kit/testing';

type KeyPhase = ReplyOf<typeof identity.getKeyPhase>;

/** An identity that knows every key, with one phase for all unless a test changes it. */
export const createFakeIdentity = () => {
  const phase: { now: Partial<KeyPhase> } = { now: {} };
  /** Keys that change only what they have begun. */
  const bounded = new Set<string>();
  const { service } = createFake(identity, {
    getKeyPhase: async ({ keyId }) => ({
      accountStatus: 'active',
      tier: 'paid',
      accountCreatedAt: '2026-01-01T00:00:00.000Z',
      phase: 'active',
      limitId: keyId,
      dailyCreditCap: null,
      ...phase.now,
    }),
    checkOwnWork: async ({ keyId }) => {
      if (bounded.has(keyId)) throw serviceError('begun_by_another_key');
      return {};
    },
  });
  return { service, bounded, update: (next: Partial<KeyPhase>) => void Object.assign(phase, { now: next }) };
};
