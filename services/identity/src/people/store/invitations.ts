import type { Role } from '@tds/contracts';
import type { Db } from '../../store/database.ts';
import type { Invitation as InvitationRow } from '../../store/prisma/client.ts';

export type Invitation = Omit<InvitationRow, 'role'> & { readonly role: Role };

const waitingAt = (now: Date) => ({ usedAt: null, endedAt: null, expiresAt: { gt: now } });

export const findWaitingInvitations = async (db: Db, accountId: string, now: Date): Promise<Invitation[]> =>
  (await db.invitation.findMany({
    where: { accountId, ...waitingAt(now) },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  })) as Invitation[];

/** Whatever has become of it. */
export const findInvitation = async (db: Db, id: string): Promise<Invitation | null> =>
  (await db.invitation.findUnique({ where: { id } })) as Invitation | null;

type NewInvitation = Omit<Invitation, 'usedAt' | 'endedAt'>;

export const insertInvitation = async (db: Db, invitation: NewInvitation): Promise<Invitation> =>
  (await db.invitation.create({ data: invitation })) as Invitation;

/** Whether the address takes no invitations any more. */
export const isStopped = async (db: Db, email: string): Promise<boolean> =>
  (await db.invitationStop.findUnique({ where: { email } })) !== null;

/** Of one that waits. */
export const extendInvitation = (db: Db, id: string, expiresAt: Date, now: Date) =>
  db.invitation.updateMany({ where: { id, ...waitingAt(now) }, data: { expiresAt } });

export const markUsed = (db: Db, id: string, now: Date) =>
  db.invitation.update({ where: { id }, data: { usedAt: now } });

/** Ends those of a locked account that wait: one, or all of a person. Resolves to the ended ones. */
export const endInvitations = (
  db: Db,
  which: { readonly accountId: string } & ({ readonly id: string } | { readonly invitedBy: string }),
  now: Date,
): Promise<{ id: string; email: string }[]> =>
  db.invitation.updateManyAndReturn({
    where: { ...which, ...waitingAt(now) },
    data: { endedAt: now },
    select: { id: true, email: true },
  });

/** After a restore: an unused one of an older copy is ended. */
export const forgetInvitation = (db: Db, id: string, now: Date) =>
  db.invitation.updateMany({ where: { id, usedAt: null, endedAt: null }, data: { endedAt: now } });
