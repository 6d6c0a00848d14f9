import { identity, type ReplyOf } from '@tds/contracts';
import { fakeOf } from '@tds/kit/testing';

type KeyStanding = ReplyOf<typeof identity.getKeyStanding>;

/** An identity that knows every key, with one standing for all unless a test changes it. */
export const createFakeIdentity = () => {
  const standing: { now: Partial<KeyStanding> } = { now: {} };
  const { service } = fakeOf(identity, {
    getKeyStanding: async ({ keyId }) => ({
      accountStatus: 'active',
      tier: 'paid',
      accountCreatedAt: '2026-01-01T00:00:00.000Z',
      standing: 'active',
      limitId: keyId,
      dailyCreditCap: null,
      ...standing.now,
    }),
  });
  return { service, update: (next: Partial<KeyStanding>) => void Object.assign(standing, { now: next }) };
};
