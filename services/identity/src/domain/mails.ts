import {
  type FrozenReason,
  HOUR_MS,
  KEY_GRACE_HOURS,
  MINUTE_MS,
  type Notice,
  type WebhookChange,
} from '@tds/contracts';
import { CODE_LIFE_MS } from './sign-in-code.ts';

const minutes = CODE_LIFE_MS / MINUTE_MS;

/**
 * The mail with a sign-in code. The code has a line of its own and is the only number of six digits. It is not in the subject, because
 * mail servers log subjects and locked screens show them.
 */
export const codeMail = (code: string): { subject: string; text: string; html: string } => ({
  subject: 'Your sign-in code',
  text: [
    'Your sign-in code:',
    code,
    `It is valid for ${minutes} minutes and can be used once. A newer code replaces it.`,
    'If you did not request it, you can ignore this mail: without the code, no one can sign in. Never share it.',
  ].join('\n\n'),
  html: [
    '<!doctype html><html lang="en"><body style="font-family:sans-serif">',
    '<p>Your sign-in code:</p>',
    `<p style="font-size:2em;letter-spacing:.2em"><strong>${code}</strong></p>`,
    `<p>It is valid for ${minutes} minutes and can be used once. A newer code replaces it.</p>`,
    '<p>If you did not request it, you can ignore this mail: without the code, no one can sign in. Never share it.</p>',
    '</body></html>',
  ].join('\n'),
});

type MailText = {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The page on which the reader goes on. */
  readonly link?: { readonly words: string; readonly address: string };
};
type Places = { readonly supportEmail: string; readonly publicUrl: string };
type Mail = { readonly subject: string; readonly text: string; readonly html: string };
type NoticeOf<Kind extends Notice['kind']> = Extract<Notice, { readonly kind: Kind }>;

const frozenBecause: Readonly<Record<FrozenReason, string>> = {
  payment_disputed:
    'A payment for credits of this account is disputed. We have taken the disputed credits back; those that were already spent are now a debt.',
  operator: 'Our support has frozen the account.',
};

const changeTexts: Readonly<Record<WebhookChange, string>> = {
  created: 'It was created.',
  address: 'Its address was changed.',
  secret: 'Its signing secret was replaced.',
  removed: 'It was removed.',
  disabled: 'It was disabled.',
  secret_lost:
    'Its signing secret was lost through a fault of ours, so we send nothing to it. Please configure it again.',
};

const keyTexts = ({ keys }: NoticeOf<'tier_fell'>): string[] => {
  if (keys.length === 0) return [];
  const list = keys.map(({ name, prefix, endsAt }) => `${name} (${prefix}..., ${endsAt})`).join('; ');
  return [
    `The free tier allows fewer keys. These keys end ${KEY_GRACE_HOURS} hours after the change: ${list}.`,
    'If you buy credits before then, these keys keep working.',
  ];
};

const textOf: {
  readonly [Kind in Notice['kind']]: (notice: NoticeOf<Kind>, places: Places) => MailText;
} = {
  webhook_disabled: ({ host }) => ({
    subject: 'Your webhook was disabled',
    paragraphs: [
      `Your webhook at ${host} has not accepted any of our requests for five days, so we have stopped sending to it.`,
      'When it works again, configure it with PUT /v1/webhooks. GET /v1/webhooks/deliveries shows our requests and the answers.',
    ],
  }),
  webhook_changed: ({ host, changes }) => ({
    subject: 'Your webhook was changed',
    paragraphs: [
      `The webhook of your account at ${host}: ${changes.map((change) => changeTexts[change]).join(' ')}`,
      'GET /v1/webhooks shows it as it is now.',
      'If you did not make this change, revoke your keys (DELETE /v1/keys/{keyId}), then configure the webhook again.',
    ],
  }),
  key_made: ({ name, prefix }) => ({
    subject: 'A new API key of your account',
    paragraphs: [
      `The key ${name} (${prefix}...) was created. GET /v1/keys lists all keys.`,
      'If you did not create it, revoke it (DELETE /v1/keys/{keyId}), and also the key that created it.',
    ],
  }),
  job_ended: ({ name, jobId, status, counts, credits }, { publicUrl }) => ({
    subject: status === 'completed' ? 'Your job is complete' : 'Your job has failed',
    paragraphs: [
      `The job ${name ?? jobId} has ended: ${counts.fetched} transcripts fetched, ${counts.cached} cached, ${counts.error} failed. It cost ${credits.charged} credits.`,
      `Its files are in the dashboard, and at GET /v1/jobs/${jobId}/archive.`,
    ],
    link: { words: 'Open the job', address: `${publicUrl}/dashboard/jobs/${jobId}` },
  }),
  tier_fell: (notice) => ({
    subject: 'Your account is on the free tier',
    paragraphs: [
      'Your account has no purchase of credits any more, so the limits of the free tier apply. GET /v1/account shows them.',
      ...keyTexts(notice),
    ],
  }),
  account_frozen: ({ reason }, { supportEmail }) => ({
    subject: 'Your account is frozen',
    paragraphs: [
      frozenBecause[reason],
      'While the account is frozen, it cannot spend credits or start new work. You can still read, export and delete your data, and manage keys. GET /v1/account shows the reason and the debt.',
      `To lift the freeze, write to ${supportEmail}.`,
    ],
  }),
  account_active: () => ({
    subject: 'Your account is active',
    paragraphs: ['Your account works without restrictions again. Paused jobs continue by themselves.'],
  }),
};

/** Escapes names and hosts for HTML. */
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export const noticeMail = (notice: Notice, places: Places): Mail => {
  const write = textOf[notice.kind] as (given: Notice, places: Places) => MailText;
  const { subject, paragraphs, link } = write(notice, places);
  return {
    subject,
    text: [...paragraphs, ...(link ? [`${link.words}: ${link.address}`] : [])].join('\n\n'),
    html: [
      '<!doctype html><html lang="en"><body style="font-family:sans-serif">',
      ...paragraphs.map((text) => `<p>${escaped(text)}</p>`),
      ...(link ? [`<p><a href="${escaped(link.address)}">${link.words}</a></p>`] : []),
      '</body></html>',
    ].join('\n'),
  };
};

/** At most four mails a day about one webhook. */
export const NOTICE_EVERY_MS = 6 * HOUR_MS;

/** Milliseconds until the next mail may be sent. */
export const waitMs = (mailedAt: Date | null, now: Date): number =>
  mailedAt === null ? 0 : Math.max(0, mailedAt.getTime() + NOTICE_EVERY_MS - now.getTime());
