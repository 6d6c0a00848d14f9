import type { Notice, RefillReason } from '@tds/contracts';
import { money } from '@tds/contracts/money';
import { dashboardPath } from '@tds/contracts/reading-address';
import { type Link, type MailText, quoteName, quoteText } from '../domain/mail-text.ts';
import { formatCount } from './event-mails.ts';

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

const refillStops: Readonly<Record<RefillReason, string>> = {
  authentication_required:
    'The bank wants the holder of the card to confirm the payment, which cannot happen by itself. Set up the card again, or buy a block by hand.',
  card_declined: 'The card was declined. Set up another card, or try this one again, under Billing.',
  card_expired: 'The card has expired. Set up another one under Billing.',
  card_removed: 'The card was removed from the payment processor. Set up another one under Billing.',
  price_changed: 'The block costs another price than the one that you agreed to. Look at it under Billing.',
  processor_failed:
    'The payment processor gave no clear answer for a day. Compare your purchases, then turn it on again under Billing.',
  restored:
    'A database of ours was restored to an earlier state. Look whether block and limit are still yours under Billing, then turn it on again.',
  dispute: 'A payment of your account is disputed, so refilling has ended.',
  account_frozen: 'Your account is frozen, so refilling has ended.',
  account_closed: 'Your account is closed, so refilling has ended.',
  payer_removed:
    'The person whose card paid is no owner and no billing of the account any more, so refilling has ended. Set up another card under Billing.',
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
    subject: `${formatCount(block, 'credit')} of your account were given back`,
    paragraphs: [
      `The block of ${formatCount(block, 'credit')} was given back for its money by ${quoteName(by)}${key === null ? ', in the dashboard' : `, with the key ${quoteName(key.name)} (${key.prefix}...)`}. The money goes to the card that paid it.`,
      'Owners and billing get this mail. If you did not expect it, end your other sessions in the settings, and revoke your keys in the dashboard.',
    ],
    link: billing,
  }),
  refilled: ({ block, amount, currency, left }: NoticeOf<'refilled'>): MailText => ({
    subject: `${formatCount(block, 'credit')} were bought for ${money(amount, currency)}`,
    paragraphs: [
      `Fewer credits were left than you set, so your account has bought a block of ${formatCount(block, 'credit')} for ${money(amount, currency)}. Of the money that you allow in this month (UTC), ${money(left, currency)} ${left < amount ? 'are left, less than another block costs: nothing more is bought by itself before the next month' : 'are left'}.`,
      'Owners and billing get this mail. You change or end it under Billing; an untouched block can be given back there.',
    ],
    link: billing,
  }),
  refill_stopped: ({ reason }: NoticeOf<'refill_stopped'>): MailText => ({
    subject: 'Your account no longer buys credits by itself',
    paragraphs: [
      refillStops[reason],
      'Owners and billing get this mail. No card is charged until one of you acts.',
    ],
    link: billing,
  }),
  balance_low: ({ available, threshold }: NoticeOf<'balance_low'>): MailText => ({
    subject: 'Your credits are running low',
    paragraphs: [
      `Your account has ${formatCount(available, 'credit')} left; you asked for a mail below ${threshold}.`,
      'The next such mail comes after there were as many again. You set the number under Billing.',
    ],
    link: billing,
  }),
};
