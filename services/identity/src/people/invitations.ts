import { createHmac, type KeyObject } from 'node:crypto';
import { DAY_MS, INVITATION_DAYS, type Role } from '@tds/contracts';
import { dashboardPath } from '@tds/contracts/reading-address';
import { type ServiceError, serviceError } from '@tds/errors';
import { mailboxOf } from '../domain/email-address.ts';
import { buildMail, type Mail, type Places, quoteText, showWords } from '../domain/mail-text.ts';
import type { Throttle } from '../domain/sign-in-code.ts';

export const INVITATION_LIFE_MS = INVITATION_DAYS * DAY_MS;
export const INVITATION_KEPT_MS = 31 * DAY_MS;

/** Without letters and digits that look like others. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const LENGTH = 12;
const GROUP = /.{4}(?=.)/g;

/** Sixty bits, so that no code is stored or sent over the bus. All mails of one invitation have the same. */
export const deriveInvitationCode = (
  key: KeyObject,
  { id, email }: { readonly id: string; readonly email: string },
): string => {
  const mac = createHmac('sha256', key).update(`invitation|${id}|${email}`).digest();
  return [...mac.subarray(0, LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
};

/** Mails to strangers are limited for each account, and for each mailbox over all accounts. */
export const invitationThrottles = (accountId: string, email: string): Throttle[] => [
  { scope: 'invitations', subject: accountId, limit: 20, windowMs: DAY_MS },
  { scope: 'invitations-of-mailbox', subject: mailboxOf(email), limit: 3, windowMs: DAY_MS },
];

type Ended = { readonly usedAt: Date | null; readonly endedAt: Date | null; readonly expiresAt: Date };

/** Why a right code is of no use, or null. */
export const deadInvitation = ({ usedAt, endedAt, expiresAt }: Ended, now: Date): ServiceError | null => {
  if (usedAt) return serviceError('code_used', { message: 'This invitation was used already. Sign in.' });
  if (endedAt)
    return serviceError('code_expired', { message: 'This invitation was withdrawn. Ask for another one.' });
  if (expiresAt > now) return null;
  const message = `This invitation is older than ${INVITATION_DAYS} days. Ask for another one.`;
  return serviceError('code_expired', { message });
};

const roleTexts: Readonly<Record<Role, string>> = {
  owner: 'an owner, who may do everything',
  member: 'a member, who fetches and reads',
  billing: 'billing, who sees what is used, and pays',
};

/** The page on which an invitation is accepted. */
const joinPath = (id: string): string => `${dashboardPath('join')}?invitation=${id}`;

type Invited = {
  readonly id: string;
  readonly code: string;
  readonly role: Role;
  /** Addresses. */
  readonly inviter: string;
  readonly owner: string;
};

export const invitationMail = ({ id, code, role, inviter, owner }: Invited, places: Places): Mail => {
  const whose = inviter === owner ? 'their account' : `the account of ${quoteText(owner)}`;
  return buildMail(
    {
      subject: `An invitation from ${showWords(inviter)}`,
      paragraphs: [
        `${quoteText(inviter)} invites you to ${whose} of this transcript service, as ${roleTexts[role]}.`,
        'Open the page below and type this code:',
        code.replace(GROUP, '$&-'),
        `It is valid for ${INVITATION_DAYS} days and can be used once. You sign in with your own address, and your own account, if you have one, stays as it is.`,
        'If you do not know who invites you, you can ignore this mail.',
      ],
      link: { words: 'Accept the invitation', path: joinPath(id) },
    },
    places,
  );
};
