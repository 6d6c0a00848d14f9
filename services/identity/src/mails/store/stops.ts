import type { Db } from '../../store/database.ts';

type Reader = {
  readonly accountId: string;
  readonly eventMails: boolean;
  readonly mailsResumedAt: Date | null;
};

/** The account of a reader of its mails; null if the person has left, or it is closed. */
export const findReaderOfLink = async (db: Db, personId: string): Promise<Reader | null> => {
  const where = { id: personId, removedAt: null, account: { status: { not: 'closed' } } };
  const account = { select: { eventMails: true, mailsResumedAt: true } };
  const found = await db.person.findFirst({ where, select: { accountId: true, account } });
  return found && { accountId: found.accountId, ...found.account };
};

/** Ends invitations to the address of one that is still kept. False if it is not. */
export const stopInvitations = async (db: Db, invitationId: string, now: Date): Promise<boolean> => {
  const invitation = await db.invitation.findUnique({ where: { id: invitationId }, select: { email: true } });
  if (invitation === null) return false;
  await db.invitationStop.createMany({ data: [{ ...invitation, stoppedAt: now }], skipDuplicates: true });
  return true;
};
