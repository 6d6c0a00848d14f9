import type { Notice, ReceiverChange, ReceiverDisabledReason } from '@tds/contracts';
import { dashboardPath } from '@tds/contracts/reading-address';
import { defangHost, type Link, type MailText, quoteName } from '../domain/mail-text.ts';

type NoticeOf<Kind extends Notice['kind']> = Extract<Notice, { readonly kind: Kind }>;

const receivers: Link = { words: 'Open your receivers', path: dashboardPath('receivers') };

const reasons: Readonly<Record<ReceiverDisabledReason, string>> = {
  failing: 'It has not accepted any of our requests for five days, so we have stopped sending to it.',
  gone: 'Its chat service says that the address has ended, so we have stopped sending to it. Make a new address there, and change the receiver to it.',
  secret_lost:
    'Its secret was lost through a fault of ours, so we send nothing to it. Please save its address again.',
};

const changeTexts: Readonly<Record<ReceiverChange, string>> = {
  created: 'It was created.',
  address: 'Its address was changed.',
  secret: 'Its signing secret was replaced.',
  removed: 'It was deleted.',
  disabled: 'It was disabled.',
};

/** Mails about receivers of events. They have the host of an address only: the rest may be its secret. */
export const receiverMails = {
  receiver_disabled: ({ name, host, reason }: NoticeOf<'receiver_disabled'>): MailText => ({
    subject: `Your receiver ${quoteName(name)} was disabled`,
    paragraphs: [
      `Your receiver ${quoteName(name)} at ${defangHost(host)} was disabled. ${reasons[reason]}`,
      'When you save it in the dashboard, it is enabled again. Send again there what it has missed.',
    ],
    link: receivers,
  }),
  receiver_changed: ({ name, host, changes }: NoticeOf<'receiver_changed'>): MailText => ({
    subject: `Your receiver ${quoteName(name)} was changed`,
    paragraphs: [
      `The receiver ${quoteName(name)} of your account at ${defangHost(host)}: ${changes.map((change) => changeTexts[change]).join(' ')}`,
      'If you did not make this change, revoke your keys in the dashboard, then delete the receiver or save it again.',
    ],
    link: receivers,
  }),
};
