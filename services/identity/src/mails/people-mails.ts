import type { Notice } from '@tds/contracts';
import { dashboardPath } from '@tds/contracts/reading-address';
import { type Link, type MailText, type Places, quoteText } from '../domain/mail-text.ts';

type NoticeOf<Kind extends Notice['kind']> = Extract<Notice, { readonly kind: Kind }>;
type Change = NoticeOf<'owners_changed'>['change'];

const people: Link = { words: 'Open the people of the account', path: dashboardPath('settings') };

const changes: Readonly<Record<Change, { subject: string; write(who: string, by: string): string }>> = {
  invited: {
    subject: 'An owner was invited to your account',
    write: (who, by) => `${by} has invited ${who} as an owner.`,
  },
  joined: {
    subject: 'An owner has joined your account',
    write: (who, by) => (by === who ? `${who} has joined as an owner.` : `${by} has made ${who} an owner.`),
  },
  made_owner: {
    subject: 'Your account has another owner',
    write: (who, by) => `${by} has made ${who} an owner.`,
  },
  made_other: {
    subject: 'An owner of your account is one no more',
    write: (who, by) => `${by} has changed the role of ${who}, who was an owner.`,
  },
  removed: {
    subject: 'An owner has left your account',
    write: (who, by) =>
      by === who ? `${who}, who was an owner, has left.` : `${by} has removed ${who}, who was an owner.`,
  },
};

const nameOf = (email: string | null): string => (email === null ? 'Our support' : quoteText(email));

/** Mails about who is in an account. */
export const membershipMails = {
  owners_changed: ({ change, email, by }: NoticeOf<'owners_changed'>, { supportEmail }: Places): MailText => ({
    subject: changes[change].subject,
    paragraphs: [
      changes[change].write(quoteText(email), nameOf(by)),
      'An owner may do everything: invite and remove people, pay, and close the account.',
      `If this should not be, change it in the settings, end your other sessions, and write to ${supportEmail} if you cannot.`,
    ],
    link: people,
  }),
  left_account: ({ of, by, heir = null }: NoticeOf<'left_account'>, { supportEmail }: Places): MailText => ({
    subject: 'You are in an account no more',
    paragraphs: [
      `${nameOf(by)} has ended your place in ${of === null ? 'an account' : `the account of ${quoteText(of)}`}. Your sessions, keys and connected apps there have ended.`,
      `Jobs and monitors that you began there belong to ${heir === null ? 'that account' : quoteText(heir)} from now on. What goes on is paid by that account${heir === null ? '' : ', under the daily cap of that person'}.`,
      'This address may sign in as before: to its own account, or to a new one, in which nothing of that account is. Only a new invitation leads back to it.',
      `If this should not be, ask an owner of the account, or write to ${supportEmail}.`,
    ],
    link: { words: 'Sign in', path: dashboardPath() },
  }),
};
