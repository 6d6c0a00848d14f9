import { randomUUID } from 'node:crypto';
import type { InvitationView, identity, PersonView, ReplyOf, RequestOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';

const TIME = '2026-01-15T12:00:00.000Z';

const newPerson = (fields: Partial<PersonView> = {}): PersonView => ({
  ...{ id: randomUUID(), email: 'you@example.com', role: 'owner', daily_credit_cap: null, joined_at: TIME },
  ...fields,
});

/** Answers as identity gives them about people. */
export const fakePeople = () => ({
  listPeople: async () => ({ people: [newPerson()], invitations: [] }),
  invitePerson: async ({ email, role, by }: RequestOf<typeof identity.invitePerson>) => {
    const { joined_at: _, ...place } = newPerson({ email, role });
    const times = { created_at: TIME, expires_at: TIME };
    const invitation: InvitationView = { ...place, ...times, invited_by: by.personId ?? randomUUID() };
    return { invitation };
  },
  changePerson: async ({ personId: id }: RequestOf<typeof identity.changePerson>) => ({
    person: newPerson({ id }),
  }),
  removePerson: async ({ personId: id }: RequestOf<typeof identity.removePerson>) => ({
    removed: { id, email: 'you@example.com' },
  }),
  acceptInvitation: async (): Promise<never> => {
    throw serviceError('invalid_code');
  },
  switchAccount: async ({
    toAccountId: accountId,
  }: RequestOf<typeof identity.switchAccount>): Promise<ReplyOf<typeof identity.switchAccount>> => ({
    ...{ accountId, sessionId: randomUUID(), sessionExpiresAt: TIME },
  }),
  listAudit: async () => ({ entries: [], total: 0 }),
});
