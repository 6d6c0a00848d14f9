import { identity } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { createFake } from '@tds/kit/testing';

const spell = (email: string): string => {
  if (!email.includes('@')) throw serviceError('invalid_email');
  return email.trim().toLowerCase();
};

/** Accounts by address, in memory. */
export const fakeIdentity = () => {
  /** Accounts that share a mailbox. */
  const mailboxes: string[][] = [];
  const accounts = new Map<string, { accountId: string; isClosed: boolean }>();
  const emailOf = (accountId: string): string =>
    [...accounts].find(([, account]) => account.accountId === accountId)?.[0] ?? `${accountId}@example.com`;
  const fake = createFake(identity, {
    spellAddress: async ({ email }) => ({ email: spell(email) }),
    admitAddress: async ({ email }) => {
      if (spell(email).endsWith('@mailinator.com')) throw serviceError('disposable_email');
      return {};
    },
    listAccountsOfMailbox: async ({ accountId }) => ({
      accountIds: mailboxes.find((ids) => ids.includes(accountId)) ?? [accountId],
    }),
    isAddressClosed: async ({ email }) => ({ isClosed: accounts.get(spell(email))?.isClosed ?? false }),
    getAccount: async ({ accountId }) => ({
      account: {
        id: accountId,
        email: emailOf(accountId),
        status: 'active',
        frozen_reason: null,
        tier: 'free',
        created_at: '2026-01-15T12:00:00.000Z',
      },
      mail: { time_zone: 'UTC', digest_hour: 8, digest_day: 1, event_mails: true },
      keys: { live: 1, limit: 2, current: null },
    }),
  });
  return { ...fake, accounts, mailboxes, emailOf };
};
