import { identity, type Notice, type PayloadOf } from '@tds/contracts';
import { onTask } from '@tds/kit';
import { crashPoint, type TaskContext } from '@tds/messaging';
import type { Deps } from './deps.ts';
import { deriveSignInCode } from './domain/sign-in-code.ts';
import { later } from './domain/time.ts';
import { digestTasks } from './mails/daily-mail.ts';
import { digestMail } from './mails/digest-mail.ts';
import { isOfWork } from './mails/event-mails.ts';
import { closedMail, codeMail, NOTICE_EVERY_MS, noticeMail } from './mails/mails.ts';
import { noticeAccount, noticePerson } from './mails/notices.ts';
import { findPayers } from './mails/readers.ts';
import { stopInvitations, stopsOf } from './mails/stop-token.ts';
import { adoptItems, endDigest, lockForDigest, type Period, takeDigest } from './mails/store/digests.ts';
import { findDueNotice, markNoticeMailed } from './mails/store/webhook-notices.ts';
import {
  deadInvitation,
  deriveInvitationCode,
  INVITATION_LIFE_MS,
  invitationMail,
} from './people/invitations.ts';
import { extendInvitation, findInvitation, isStopped } from './people/store/invitations.ts';
import { findUnsentChallenge, markMailed } from './sign-in/store/sign-in-addresses.ts';
import type { Db } from './store/database.ts';
import { findEmailOf, findMailAddress, findOldestOwner, findPerson, findPlaces } from './store/people.ts';

/**
 * Mails the code of a live challenge, or that the account of its address is closed. Only a crash between the mail server's acceptance and the commit sends it again, with the same
 * message id.
 */
export const sendCodeMail = onTask(identity.sendCodeMail, async (deps: Deps, { challengeId }, context) => {
  const challenge = await findUnsentChallenge(deps.db, challengeId, deps.now());
  if (challenge) {
    const { email } = challenge;
    const [place] = await findPlaces(deps.db, email);
    const isClosed = place?.status === 'closed';
    const mail = isClosed
      ? closedMail(deps.config)
      : codeMail(deriveSignInCode(deps.vault.codeKey, { challengeId, email }));
    context.record.add({ mail: await deps.mailer.send({ to: email, id: challengeId, ...mail }) });
  }
  crashPoint('code-mailed');
  await deps.db.$transaction(async (tx) => {
    await markMailed(tx, challengeId, deps.now());
    await context.complete(tx);
  });
});

type AddressedNotice = PayloadOf<typeof identity.sendNotice> & { readonly personId: string };

/** Null if the person is not to be mailed this any more. Who was removed hears that; who is an owner no more hears that, too. */
const findAddress = (db: Db, { accountId, personId, notice }: AddressedNotice) =>
  notice.kind === 'left_account' || notice.kind === 'owners_changed'
    ? findEmailOf(db, accountId, personId)
    : findMailAddress(
        db,
        { accountId, personId },
        { isClosed: notice.kind === 'account_closed', isOfEvent: isOfWork(notice) },
      );

const mailNotice = async (deps: Deps, addressed: AddressedNotice, context: TaskContext) => {
  const { db, mailer, vault, config, now } = deps;
  const { accountId, mailId, notice, personId } = addressed;
  const to = await findAddress(db, addressed);
  if (to !== null) {
    const mail = noticeMail(notice, { ...config, accountId }, stopsOf(vault.stopKey, personId, now()));
    context.record.add({ notice: notice.kind, mail: await mailer.send({ to, id: mailId, ...mail }) });
  }
  await db.$transaction((tx) => context.complete(tx));
};

/**
 * Mails a person; a repeat has the same message id, so that mailboxes can drop it. What concerns an account becomes a task for each who
 * hears it. An event of the release before is its oldest owner's.
 */
export const sendNotice = onTask(identity.sendNotice, async (deps: Deps, payload, context) => {
  const { accountId, mailId, notice, personId } = payload;
  const isOfEvent = isOfWork(notice);
  const readerId = personId ?? (isOfEvent ? (await findOldestOwner(deps.db, accountId))?.id : undefined);
  if (readerId !== undefined) return mailNotice(deps, { ...payload, personId: readerId }, context);
  await deps.messaging.transaction(deps.db, async (tx, send) => {
    await context.complete(tx);
    const payers = isOfEvent ? [] : await findPayers(tx, accountId);
    for (const payer of payers) await noticePerson({ send }, { accountId, mailId, notice }, payer);
  });
});

/** An invitation that was used or withdrawn meanwhile is not mailed. Its week begins when the mail server has the mail. */
export const sendInvitation = onTask(
  identity.sendInvitation,
  async ({ db, mailer, vault, config, now }: Deps, { invitationId, mailId }, context) => {
    const stored = await findInvitation(db, invitationId);
    const owner = stored && (await findOldestOwner(db, stored.accountId))?.email;
    if (stored && owner && !(await isStopped(db, stored.email)) && deadInvitation(stored, now()) === null) {
      const { id, email, role, accountId, invitedBy } = stored;
      const inviter = (await findPerson(db, accountId, invitedBy))?.email ?? owner;
      const code = deriveInvitationCode(vault.codeKey, stored);
      const stop = stopInvitations(vault.stopKey, id);
      const mail = invitationMail({ id, code, role, inviter, owner }, config, stop);
      context.record.add({ mail: await mailer.send({ to: email, id: mailId, ...mail }) });
    }
    crashPoint('invitation-mailed');
    await db.$transaction(async (tx) => {
      await extendInvitation(tx, invitationId, later(now(), INVITATION_LIFE_MS), now());
      await context.complete(tx);
    });
  },
);

type DigestOf = PayloadOf<typeof identity.sendDailyMail>;

/** Events during the sending are in the next one. */
const sendDigest =
  (period: Period) =>
  async (deps: Deps, { accountId, personId: sentId }: DigestOf, context: TaskContext) => {
    const { db, messaging, mailer, vault, config, now } = deps;
    // Of the release before, or an account that a restore has lost.
    const personId = sentId ?? (await findOldestOwner(db, accountId))?.id ?? accountId;
    const reader = { accountId, personId };
    if (sentId === undefined) await adoptItems(db, reader);
    const { id, ...digest } = await takeDigest(db, reader, period, context.taskId);
    const to = await findMailAddress(db, reader, { isOfEvent: true });
    if (to !== null && digest.notices.length > 0) {
      const stops = stopsOf(vault.stopKey, personId, now());
      const mail = digestMail({ period, ...digest }, { ...config, accountId }, stops);
      context.record.add({
        events: digest.notices.length,
        more: digest.more,
        mail: await mailer.send({ to, id, ...mail }),
      });
    }
    crashPoint(`${period}-mail-sent`);
    await messaging.transaction(db, async (tx, send) => {
      const delayMs = await lockForDigest(tx, personId, period, now());
      await context.complete(tx);
      if (await endDigest(tx, reader, period))
        await send.enqueue(digestTasks[period], reader, { key: personId, delayMs });
    });
  };

export const sendDailyMail = onTask(identity.sendDailyMail, sendDigest('daily'));
export const sendWeeklyMail = onTask(identity.sendWeeklyMail, sendDigest('weekly'));

/** Changes from then on are mailed later. */
export const sendWebhookNotice = onTask(
  identity.sendWebhookNotice,
  async ({ db, messaging, now }: Deps, { accountId }, context) => {
    await messaging.transaction(db, async (tx, send) => {
      await context.complete(tx);
      const due = await findDueNotice(tx, accountId);
      if (due === null) return;
      const { mailId, host, changes } = due;
      const notice: Notice = { kind: 'webhook_changed', host, changes: [...changes] };
      await noticeAccount({ tx, send }, { accountId, mailId, notice });
      if (await markNoticeMailed(tx, { accountId, mailId }, now()))
        await send.enqueue(
          identity.sendWebhookNotice,
          { accountId },
          { key: accountId, delayMs: NOTICE_EVERY_MS },
        );
    });
  },
);
