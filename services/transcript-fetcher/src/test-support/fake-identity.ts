import { identity, type ReplyOf } from '@tds/contracts';
import { createFake } from '@tds/kit/testing';

type KeyPhase = ReplyOf<typeof identity.getKeyPhase>;

/** An identity that knows every key, with one phase for all unless a test changes it. */
export const createFakeIdentity = () => {
  const phase: { now: Partial<KeyPhase> } = { now: {} };
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
  });
  return { service, update: (next: Partial<KeyPhase>) => void Object.assign(phase, { now: next }) };
};
