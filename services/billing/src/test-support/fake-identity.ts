import { identity, type Role } from '@tds/contracts';
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
  const isClosed = (accountId: string) => accounts.get(emailOf(accountId))?.isClosed ?? false;
  /** Who is in an account beside its holder, who has its id; by account. */
  const people = new Map<string, { readonly id: string; readonly role: Role }[]>();
  const toPerson = ({ id, role }: { readonly id: string; readonly role: Role }) => ({
    ...{ id, role, email: `${id}@example.com`, daily_credit_cap: null, joined_at: '2026-01-15T12:00:00.000Z' },
  });
  const frozen = new Set<string>();
  const fake = createFake(identity, {
    listPeople: async ({ accountId }) => ({
      people: (people.get(accountId) ?? [{ id: accountId, role: 'owner' as const }]).map(toPerson),
      invitations: [],
    }),
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
        status: isClosed(accountId) ? 'closed' : frozen.has(accountId) ? 'frozen' : 'active',
        frozen_reason: null,
        tier: 'free',
        created_at: '2026-01-15T12:00:00.000Z',
      },
      mail: { time_zone: 'UTC', digest_hour: 8, digest_day: 1, event_mails: true },
      keys: { live: 1, limit: 2, current: null },
    }),
  });
  return { ...fake, accounts, people, frozen, mailboxes, emailOf };
};
