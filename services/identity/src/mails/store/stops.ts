import type { Db } from '../../store/database.ts';

type ReaderOfLink = {
  readonly accountId: string;
  /** The mails that the link ends are off already. */
  readonly isStopped: boolean;
  /** When they were last chosen. */
  readonly resumedAt: Date | null;
};

/** The reader of a mail whose link ends mails of this monitor or job, or all; null if the person has left, or the account is closed. */
export const findReaderOfLink = async (
  db: Db,
  { personId, workId }: { readonly personId: string; readonly workId: string | null },
): Promise<ReaderOfLink | null> => {
  const where = { id: personId, removedAt: null, account: { status: { not: 'closed' } } };
  const select = { accountId: true, eventMails: true, mailsResumedAt: true } as const;
  const person = await db.person.findFirst({ where, select });
  if (person === null) return null;
  const { accountId, eventMails, mailsResumedAt } = person;
  if (workId === null) return { accountId, isStopped: !eventMails, resumedAt: mailsResumedAt };
  const choice = await db.mailOfWork.findUnique({ where: { workId_personId: { workId, personId } } });
  const isStopped = choice?.mail === 'none';
  return { accountId, isStopped, resumedAt: isStopped || choice === null ? null : choice.changedAt };
};

/** Ends invitations to the address of one that is still kept. False if it is not. */
export const stopInvitations = async (db: Db, invitationId: string, now: Date): Promise<boolean> => {
  const invitation = await db.invitation.findUnique({ where: { id: invitationId }, select: { email: true } });
  if (invitation === null) return false;
  await db.invitationStop.createMany({ data: [{ ...invitation, stoppedAt: now }], skipDuplicates: true });
  return true;
};
