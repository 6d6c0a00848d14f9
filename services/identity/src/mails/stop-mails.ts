import type { Notice } from '@tds/contracts';
import { dashboardPath } from '@tds/contracts/reading-address';
import { type Link, type MailText, quoteName, quoteText } from '../domain/mail-text.ts';

type NoticeOf<Kind extends Notice['kind']> = Extract<Notice, { readonly kind: Kind }>;
type Paused = NoticeOf<'job_paused'>;

const billing: Link = { words: 'Open billing', path: dashboardPath('billing') };
const others =
  'Others may have stopped for the same reason; the dashboard lists them. We mail a reason once a day.';

/** Of those that are mailed. */
const reasons: { readonly [Reason in Paused['reason']]?: string } = {
  insufficient_credits: 'Credits are missing. It goes on by itself when there are enough.',
  daily_limit: 'A daily limit is used up for more than a day. It goes on by itself.',
  key_revoked: 'Its key was revoked. Retry or resume it with another key, or cancel it.',
  tier_limit: 'The tier of your account allows fewer monitors. Cancel others, or buy credits.',
  webhook_missing: 'Your account has no working webhook. Save one, and it goes on by itself.',
  feed_unavailable: 'Its channel or playlist cannot be read. If it is gone for good, cancel the monitor.',
};

const pausedMail = ({ kind, id, name, reason, removed }: Paused): MailText => {
  const [noun, quote] =
    kind === 'job_paused' ? (['job', quoteName] as const) : (['monitor', quoteText] as const);
  const why =
    removed === undefined
      ? reasons[reason]
      : `It was made by ${quoteText(removed)}, who was removed. Resume it in the dashboard, and it is yours, or end it.`;
  return {
    subject: `Your ${noun} is paused`,
    paragraphs: [`The ${noun} ${name === null ? id : quote(name)} is paused. ${why}`, others],
    link:
      reason === 'insufficient_credits'
        ? billing
        : { words: `Open the ${noun}`, path: dashboardPath(`${noun}s`, id) },
  };
};

/** Mails about what has stopped, or soon will. */
export const stopMails = {
  job_paused: pausedMail,
  monitor_paused: pausedMail,
  block_refunded: ({ block, by, key }: NoticeOf<'block_refunded'>): MailText => ({
    subject: `${block} credits of your account were given back`,
    paragraphs: [
      `The block of ${block} credits was given back for its money by ${quoteName(by)}${key === null ? ', in the dashboard' : `, with the key ${quoteName(key.name)} (${key.prefix}...)`}. The money goes to the card that paid it.`,
      'Owners and billing get this mail. If you did not expect it, end your other sessions in the settings, and revoke your keys in the dashboard.',
    ],
    link: billing,
  }),
  balance_low: ({ available, threshold }: NoticeOf<'balance_low'>): MailText => ({
    subject: 'Your credits are running low',
    paragraphs: [
      `Your account has ${available} ${available === 1 ? 'credit' : 'credits'} left; you asked for a mail below ${threshold}.`,
      'The next such mail comes after there were as many again. You set the number under Billing.',
    ],
    link: billing,
  }),
};
