import {
  type AccessScope,
  type FrozenReason,
  HOUR_MS,
  KEY_GRACE_HOURS,
  MINUTE_MS,
  type Notice,
  type WebhookChange,
} from '@tds/contracts';
import { dashboardPath } from '@tds/contracts/reading-address';
import {
  buildHtml,
  buildMail,
  defangHost,
  type Link,
  type Mail,
  type MailText,
  type Places,
  quoteName,
} from '../domain/mail-text.ts';
import { CODE_LIFE_MS } from '../domain/sign-in-code.ts';
import { eventMails, isOfWork, workOf } from './event-mails.ts';
import { membershipMails } from './people-mails.ts';
import { receiverMails } from './receiver-mails.ts';
import { stopMails } from './stop-mails.ts';
import type { Stops } from './stop-token.ts';

const codeRules = [
  `It is valid for ${CODE_LIFE_MS / MINUTE_MS} minutes and can be used once. A newer code replaces it.`,
  'If you did not request it, you can ignore this mail: without the code, no one can sign in. Never share it.',
];

/**
 * The mail with a sign-in code. The code has a line of its own and is the only number of six digits. It is not in the subject, because
 * mail servers log subjects and locked screens show them.
 */
export const codeMail = (code: string): Mail => ({
  subject: 'Your sign-in code',
  text: ['Your sign-in code:', code, ...codeRules].join('\n\n'),
  html: buildHtml(
    '<p>Your sign-in code:</p>',
    `<p style="font-size:2em;letter-spacing:.2em"><strong>${code}</strong></p>`,
    ...codeRules.map((rule) => `<p>${rule}</p>`),
  ),
});

type NoticeOf<Kind extends Notice['kind']> = Extract<Notice, { readonly kind: Kind }>;

const freezeReasons: Readonly<Record<FrozenReason, string>> = {
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
  const list = keys
    .map(({ name, prefix, endsAt }) => `${quoteName(name)} (${prefix}..., ${formatMinute(endsAt)})`)
    .join('; ');
  return [
    `The free tier allows fewer keys. These keys end ${KEY_GRACE_HOURS} hours after the change: ${list}.`,
    'If you buy credits before then, these keys keep working.',
  ];
};

const terms: Link = { words: 'Read the terms', path: '/terms' };
const connections: Link = { words: 'Open your connections', path: dashboardPath('connections') };
const keys: Link = { words: 'Open your keys', path: dashboardPath('keys') };
const webhooks: Link = { words: 'Open your webhook', path: dashboardPath('webhooks') };
const dashboard: Link = { words: 'Open the dashboard', path: dashboardPath() };

const scopeTexts: Readonly<Record<AccessScope, string>> = {
  read: 'read what costs nothing',
  fetch: 'fetch new transcripts and search',
  jobs: 'start jobs',
  monitors: 'watch channels',
};

/** What an app may do, and what it may spend. */
const describeAccess = (scopes: readonly AccessScope[], cap: number | null): string => {
  const spending =
    cap === null ? 'spend nothing' : `spend at most ${cap} credits a day until you disconnect it`;
  return `It may ${[...scopes.map((scope) => scopeTexts[scope]), spending].join(', ')}.`;
};

/** The time of day of a mail's first event, in UTC. */
const formatMinute = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;

const mailTexts: {
  readonly [Kind in Notice['kind']]: (notice: NoticeOf<Kind>, places: Places) => MailText;
} = {
  ...eventMails,
  ...stopMails,
  ...membershipMails,
  ...receiverMails,
  webhook_disabled: ({ host }) => ({
    subject: 'Your webhook was disabled',
    paragraphs: [
      `Your webhook at ${defangHost(host)} has not accepted any of our requests for five days, so we have stopped sending to it.`,
      'When it works again, save it again in the dashboard, which also shows our requests and the answers.',
    ],
    link: webhooks,
  }),
  webhook_changed: ({ host, changes }) => ({
    subject: 'Your webhook was changed',
    paragraphs: [
      `The webhook of your account at ${defangHost(host)}: ${changes.map((change) => changeTexts[change]).join(' ')}`,
      'If you did not make this change, revoke your keys in the dashboard, then save the webhook again.',
    ],
    link: webhooks,
  }),
  key_made: ({ name, prefix }) => ({
    subject: 'A new API key of your account',
    paragraphs: [
      `The key ${quoteName(name)} (${prefix}...) was created.`,
      'If you did not create it, revoke it in the dashboard, and also the key that created it.',
    ],
    link: keys,
  }),
  app_connected: ({ name, host, scopes, dailyCreditCap }) => ({
    subject: 'An app was connected to your account',
    paragraphs: [
      `The app ${quoteName(name)} at ${defangHost(host)} was connected. ${describeAccess(scopes, dailyCreditCap)}`,
      'If you did not connect it, disconnect it in the dashboard, and end your other sessions in the settings.',
    ],
    link: connections,
  }),
  app_disconnected: ({ name, host, by = 'misuse' }) => ({
    ...{ subject: 'An app was disconnected from your account', link: connections },
    paragraphs:
      by === 'misuse'
        ? [
            `The app ${quoteName(name)} at ${defangHost(host)} showed us a secret token that it had replaced before. The app may have mixed up its tokens, or someone may have copied one, so we have ended the connection: none of its tokens works any more.`,
            'If you still use the app, connect it again in the app. If you do not, you need to do nothing. If it happens again, ask the maker of the app.',
          ]
        : [
            `The app ${quoteName(name)} at ${defangHost(host)} ${by === 'app' ? 'has ended its connection, was not used for 90 days, or has signed in anew too often' : 'was disconnected in your account'}. Its jobs are paused.`,
            'If you did not expect this, end your other sessions in the settings. To use the app again, connect it again in the app.',
          ],
  }),
  more_keys_made: ({ since }) => ({
    subject: 'More new API keys of your account',
    paragraphs: [
      `More keys were created since ${formatMinute(since)}. The dashboard lists all of them.`,
      'If you did not create them, revoke all your keys in the dashboard.',
    ],
    link: keys,
  }),
  more_apps_connected: ({ since }) => ({
    subject: 'More apps were connected to your account',
    paragraphs: [
      `More apps were connected since ${formatMinute(since)}. The dashboard lists all of them.`,
      'If you did not connect them, disconnect them in the dashboard, and end your other sessions in the settings.',
    ],
    link: connections,
  }),
  more_jobs_ended: ({ since }) => ({
    subject: 'More of your jobs have ended',
    paragraphs: [
      `More jobs have ended since ${formatMinute(since)} than we mail one by one. The dashboard lists them with their files.`,
    ],
    link: { words: 'Open your jobs', path: dashboardPath('jobs') },
  }),
  tier_fell: (notice) => ({
    subject: 'Your account is on the free tier',
    paragraphs: [
      'Your account has no purchase of credits any more, so the limits of the free tier apply. The dashboard shows them in the settings.',
      ...keyTexts(notice),
    ],
    link: { words: 'Buy credits', path: dashboardPath('billing') },
  }),
  account_frozen: ({ reason }, { supportEmail }) => ({
    subject: 'Your account is frozen',
    paragraphs: [
      freezeReasons[reason],
      'While the account is frozen, it cannot spend credits or start new work. You can still read, export and delete your data, and manage keys. The dashboard shows the reason and the debt.',
      `To lift the freeze, write to ${supportEmail}.`,
    ],
    link: dashboard,
  }),
  account_active: () => ({
    subject: 'Your account is active',
    paragraphs: ['Your account works without restrictions again. Paused jobs continue by themselves.'],
    link: dashboard,
  }),
  account_closed: (_notice, { supportEmail }) => ({
    subject: 'Your account is closed',
    paragraphs: [
      'Your account is closed: its keys and sessions have ended, and this address cannot sign up again.',
      'Each block of credits of which nothing was used is refunded to the card that paid it. All other credits are lost.',
      `If you did not close it, or if a refund is missing after ten days, write to ${supportEmail}.`,
    ],
    link: terms,
  }),
};

/** Mails about a monitor or a job have the links that change it, and end its mails or all of them. */
export const noticeMail = (notice: Notice, places: Places, stops?: Stops): Mail => {
  const write = mailTexts[notice.kind] as (input: Notice, places: Places) => MailText;
  const text = write(notice, places);
  if (stops === undefined || !isOfWork(notice)) return buildMail(text, places);
  const edit = { ...text.link, words: 'Edit this one' };
  return buildMail(text, places, stops.all, [edit, stops.one(workOf(notice))]);
};

/** The mail in place of a sign-in code for an address whose account is closed. */
export const closedMail = (places: Places): Mail =>
  buildMail(
    {
      subject: 'No sign-in: your account is closed',
      paragraphs: [
        'A sign-in code was requested for this address. Its account is closed for good, so no code can sign in, and the address cannot sign up again.',
        `You may sign up with another address. With questions, write to ${places.supportEmail}.`,
      ],
      link: terms,
    },
    places,
  );

/** At most four mails a day about one webhook. */
export const NOTICE_EVERY_MS = 6 * HOUR_MS;

/** Milliseconds until the next mail may be sent. */
export const waitMs = (mailedAt: Date | null, now: Date): number =>
  mailedAt === null ? 0 : Math.max(0, mailedAt.getTime() + NOTICE_EVERY_MS - now.getTime());
