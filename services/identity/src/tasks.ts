import { identity } from '@tds/contracts';
import { onTask } from '@tds/kit';
import { crashPoint, type TaskContext } from '@tds/messaging';
import type { Deps } from './deps.ts';
import { deriveSignInCode } from './domain/sign-in-code.ts';
import { later } from './domain/time.ts';
import { digestTasks } from './mails/daily-mail.ts';
import { digestMail } from './mails/digest-mail.ts';
import { eventMails } from './mails/event-mails.ts';
import { closedMail, codeMail, NOTICE_EVERY_MS, noticeMail } from './mails/mails.ts';
import { stopEvents, stopInvitations } from './mails/stop-token.ts';
import { endDigest, lockForDigest, type Period, takeDigest } from './mails/store/digests.ts';
import { findDueNotice, markNoticeMailed } from './mails/store/webhook-notices.ts';
import {
  deadInvitation,
  deriveInvitationCode,
  INVITATION_LIFE_MS,
  invitationMail,
} from './people/invitations.ts';
import { extendInvitation, findInvitation, isStopped } from './people/store/invitations.ts';
import { findUnsentChallenge, markMailed } from './sign-in/store/sign-in-addresses.ts';
import { findEmailOf, findPerson, findPlaces, findReader } from './store/people.ts';

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

/** A repeat has the same message id, so that mailboxes can drop it. The holder of a closed account gets no mail but that about the closing. */
export const sendNotice = onTask(
  identity.sendNotice,
  async ({ db, mailer, vault, config, now }: Deps, { accountId, mailId, notice, personId }, context) => {
    const isOfEvent = notice.kind in eventMails;
    const isClosed = notice.kind === 'account_closed';
    const reader = personId
      ? { id: personId, email: await findEmailOf(db, accountId, personId) }
      : await findReader(db, accountId, { isClosed, isOfEvent });
    if (reader?.email) {
      // The link is the reader's.
      const stop = isOfEvent ? stopEvents(vault.stopKey, reader.id, now()) : undefined;
      const mail = noticeMail(notice, { ...config, accountId }, stop);
      context.record.add({
        notice: notice.kind,
        mail: await mailer.send({ to: reader.email, id: mailId, ...mail }),
      });
    }
    await db.$transaction((tx) => context.complete(tx));
  },
);

/** An invitation that was used or withdrawn meanwhile is not mailed. Its week begins when the mail server has the mail. */
export const sendInvitation = onTask(
  identity.sendInvitation,
  async ({ db, mailer, vault, config, now }: Deps, { invitationId, mailId }, context) => {
    const stored = await findInvitation(db, invitationId);
    const owner = stored && (await findReader(db, stored.accountId))?.email;
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

/** Events during the sending are in the next one. */
const sendDigest =
  (period: Period) =>
  async (deps: Deps, { accountId }: { readonly accountId: string }, context: TaskContext) => {
    const { db, messaging, mailer, vault, config, now } = deps;
    const { id, ...digest } = await takeDigest(db, accountId, period, context.taskId);
    const reader = await findReader(db, accountId, { isOfEvent: true });
    if (reader && digest.notices.length > 0) {
      const places = { ...config, accountId };
      const mail = digestMail({ period, ...digest }, places, stopEvents(vault.stopKey, reader.id, now()));
      context.record.add({
        events: digest.notices.length,
        more: digest.more,
        mail: await mailer.send({ to: reader.email, id, ...mail }),
      });
    }
    crashPoint(`${period}-mail-sent`);
    await messaging.transaction(db, async (tx, send) => {
      const delayMs = await lockForDigest(tx, accountId, period, now());
      await context.complete(tx);
      if (await endDigest(tx, accountId, period))
        await send.enqueue(digestTasks[period], { accountId }, { key: accountId, delayMs });
    });
  };

export const sendDailyMail = onTask(identity.sendDailyMail, sendDigest('daily'));
export const sendWeeklyMail = onTask(identity.sendWeeklyMail, sendDigest('weekly'));

/** Changes during the sending are mailed later. */
export const sendWebhookNotice = onTask(
  identity.sendWebhookNotice,
  async ({ db, messaging, mailer, config, now }: Deps, { accountId }, context) => {
    const due = await findDueNotice(db, accountId);
    const reader = await findReader(db, accountId);
    if (due && reader) {
      const { mailId, host, changes } = due;
      const mail = noticeMail(
        { kind: 'webhook_changed', host, changes: [...changes] },
        { ...config, accountId },
      );
      context.record.add({ mail: await mailer.send({ to: reader.email, id: mailId, ...mail }) });
    }
    await messaging.transaction(db, async (tx, send) => {
      await context.complete(tx);
      const isLeft = due !== null && (await markNoticeMailed(tx, { accountId, mailId: due.mailId }, now()));
      if (isLeft)
        await send.enqueue(
          identity.sendWebhookNotice,
          { accountId },
          { key: accountId, delayMs: NOTICE_EVERY_MS },
        );
    });
  },
);
