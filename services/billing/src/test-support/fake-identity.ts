import { randomUUID } from 'node:crypto';
import { identity, serviceError } from '@tds/contracts';
import { fakeOf } from '@tds/service-kit/testing';

/** Accounts by address, in memory. */
export const fakeIdentity = () => {
  const accounts = new Map<string, { accountId: string; isClosed: boolean }>();
  const fake = fakeOf(identity, {
    spellAddress: async ({ email }) => {
      if (!email.includes('@')) throw serviceError('invalid_email');
      return { email: email.trim().toLowerCase() };
    },
    accountOfBuyer: async ({ email }) => {
      const known = accounts.get(email) ?? { accountId: randomUUID(), isClosed: false };
      accounts.set(email, known);
      return known;
    },
  });
  return { ...fake, accounts };
};
