import type { FrozenReason, Notice } from '@tds/contracts';

type Words = { readonly subject: string; readonly paragraphs: readonly string[] };
type Mail = { readonly subject: string; readonly text: string; readonly html: string };

const why: Readonly<Record<FrozenReason, string>> = {
  payment_disputed:
    'A payment for credits of this account was disputed. The disputed credits were taken back; what was spent of them is a debt.',
  operator: 'We have stopped the account by hand.',
};

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
