import { type FrozenReason, KEY_GRACE_HOURS, type Notice, type WebhookChange } from '@tds/contracts';
import { CODE_LIFE_MS } from './sign-in-code.ts';
import { HOUR_MS, MINUTE_MS } from './time.ts';

const minutes = CODE_LIFE_MS / MINUTE_MS;

/**
 * The words of the mail. The code stands on a line of its own and is the only number of six digits. It is not in the
 * subject: subjects end up in the logs of mail servers and on locked screens.
 */
export const codeMail = (code: string): { subject: string; text: string; html: string } => ({
  subject: 'Your sign-in code',
  text: [
    'Your sign-in code:',
    code,
    `It is valid for ${minutes} minutes and works once. A newer code replaces it.`,
    'If you did not ask for it, ignore this mail: without the code nobody gets in. Never pass it on.',
  ].join('\n\n'),
  html: [
    '<!doctype html><html lang="en"><body style="font-family:sans-serif">',
    '<p>Your sign-in code:</p>',
    `<p style="font-size:2em;letter-spacing:.2em"><strong>${code}</strong></p>`,
    `<p>It is valid for ${minutes} minutes and works once. A newer code replaces it.</p>`,
    '<p>If you did not ask for it, ignore this mail: without the code nobody gets in. Never pass it on.</p>',
    '</body></html>',
  ].join('\n'),
});

type Words = { readonly subject: string; readonly paragraphs: readonly string[] };
type Mail = { readonly subject: string; readonly text: string; readonly html: string };

const why: Readonly<Record<FrozenReason, string>> = {
  payment_disputed:
    'A payment for credits of this account was disputed. The disputed credits were taken back; what was spent of them is a debt.',
  operator: 'We have stopped the account by hand.',
};

const changeWords: Readonly<Record<WebhookChange, string>> = {
  created: 'It was created.',
  address: 'Its address was changed.',
  secret: 'Its signing secret was replaced.',
  removed: 'It was removed.',
  disabled: 'It was disabled.',
  secret_lost: 'Its signing secret was lost by a fault of ours, so nothing is sent to it. Configure it anew.',
};

const lostKey =
  'If that was not you, revoke your keys (DELETE /v1/keys/{keyId}), then configure the webhook anew.';

const wordsOf = (notice: Notice, supportEmail: string): Words => {
  switch (notice.kind) {
    case 'webhook_disabled':
      return {
        subject: 'Your webhook was disabled',
        paragraphs: [
          `Your webhook at ${notice.host} has answered none of our requests for five days. We have stopped sending to it.`,
          'When it works again, configure it anew with PUT /v1/webhooks. GET /v1/webhooks/deliveries shows what it was sent, and what it answered.',
        ],
      };
    case 'webhook_changed':
      return {
        subject: 'Your webhook was changed',
        paragraphs: [
          `The webhook of your account at ${notice.host}: ${notice.changes.map((change) => changeWords[change]).join(' ')}`,
          'GET /v1/webhooks shows it as it is now.',
          lostKey,
        ],
      };
    case 'key_made':
      return {
        subject: 'A new API key of your account',
        paragraphs: [
          `The key ${notice.name} (${notice.prefix}...) was made. GET /v1/keys lists all keys.`,
          'If that was not you, revoke it (DELETE /v1/keys/{keyId}), and the key that made it.',
        ],
      };
    case 'tier_fell':
      return {
        subject: 'Your account is on the free tier',
        paragraphs: [
          'No purchase of credits stands any more, so the limits of the free tier apply to your account. GET /v1/account shows them.',
          ...(notice.keys.length === 0
            ? []
            : [
                `The free tier has fewer keys. These end, ${KEY_GRACE_HOURS} hours after the change: ${notice.keys.map(({ name, prefix, endsAt }) => `${name} (${prefix}..., ${endsAt})`).join('; ')}.`,
                'If a purchase makes the tier paid again before that, they go on.',
              ]),
        ],
      };
    case 'account_frozen':
      return {
        subject: 'Your account is frozen',
        paragraphs: [
          why[notice.reason],
          'Until the account is unfrozen it neither spends credits nor starts anything. You can still read, export and delete, and manage keys. GET /v1/account shows the reason and the debt.',
          `To lift the freeze, write to ${supportEmail}.`,
        ],
      };
    case 'account_active':
      return {
        subject: 'Your account is active',
        paragraphs: ['Your account works without restrictions again. Paused jobs go on by themselves.'],
      };
  }
};

/** Names and hosts may hold what HTML would take for its own. */
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export const noticeMail = (notice: Notice, supportEmail: string): Mail => {
  const { subject, paragraphs } = wordsOf(notice, supportEmail);
  return {
    subject,
    text: paragraphs.join('\n\n'),
    html: [
      '<!doctype html><html lang="en"><body style="font-family:sans-serif">',
      ...paragraphs.map((text) => `<p>${escaped(text)}</p>`),
      '</body></html>',
    ].join('\n'),
  };
};

/** At most four mails a day about one webhook, however often it is changed. */
export const NOTICE_EVERY_MS = 6 * HOUR_MS;

/** How long the next mail has to wait. */
export const waitMs = (mailedAt: Date | null, now: Date): number =>
  mailedAt === null ? 0 : Math.max(0, mailedAt.getTime() + NOTICE_EVERY_MS - now.getTime());
