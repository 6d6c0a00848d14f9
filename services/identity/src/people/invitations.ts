import { createHmac, type KeyObject } from 'node:crypto';
import { DAY_MS, INVITATION_DAYS, type Role, type Tier } from '@tds/contracts';
import { dashboardPath } from '@tds/contracts/reading-address';
import { type ServiceError, serviceError } from '@tds/errors';
import { mailboxOf } from '../domain/email-address.ts';
import { buildMail, type Link, type Mail, type Places, quoteText, showWords } from '../domain/mail-text.ts';
import { GUESSES_PER_CODE, LOCK_MS, type Throttle } from '../domain/sign-in-code.ts';

/*
 * waiting  made by an owner; a mail brings its code, and its week begins with the mail. Another one for the address renews it
 * used     accepted with its code, once, by a session of the address or by who has no account (`join.ts`)
 * ended    an owner withdrew it, the address wants no more of them, or the account was closed
 * expired  its week is over. None of the last three opens anything; all are deleted a month after they were made
 */

export const INVITATION_LIFE_MS = INVITATION_DAYS * DAY_MS;
export const INVITATION_KEPT_MS = 31 * DAY_MS;

/** Without letters and digits that look like others. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const LENGTH = 12;
const GROUP = /.{4}(?=.)/g;

/** Sixty bits. It is derived, so that no code is stored or sent over the bus. */
export const deriveInvitationCode = (
  key: KeyObject,
  { id, email }: { readonly id: string; readonly email: string },
): string => {
  const mac = createHmac('sha256', key).update(`invitation|${id}|${email}`).digest();
  return [...mac.subarray(0, LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
};

/**
 * Mails to strangers are limited for each account, and of it for each mailbox. Free accounts share a limit for each mailbox, which they
 * use up for none that pays.
 */
export const invitationThrottles = (
  { id, tier }: { readonly id: string; readonly tier: Tier },
  email: string,
): Throttle[] => {
  const mailbox = mailboxOf(email);
  return [
    { scope: 'invitations', subject: id, limit: 20, windowMs: DAY_MS },
    { scope: 'invitations-of-mailbox', subject: `${id} ${mailbox}`, limit: 3, windowMs: DAY_MS },
    ...(tier === 'free'
      ? [{ scope: 'free-invitations-of-mailbox', subject: mailbox, limit: 6, windowMs: DAY_MS }]
      : []),
  ];
};

/** Wrong codes at an invitation, of a network and of all. Its code is too long to be guessed, so other invitations do not count. */
export const invitationGuessThrottles = (id: string, network: string): Throttle[] => [
  { scope: 'guess-lock', subject: `${network} ${id}`, limit: GUESSES_PER_CODE, windowMs: LOCK_MS },
  { scope: 'guess-invitation', subject: id, limit: 100, windowMs: DAY_MS },
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

/** `stop` ends invitations to the address. */
export const invitationMail = (
  { id, code, role, inviter, owner }: Invited,
  places: Places,
  stop: Link,
): Mail => {
  const whose = inviter === owner ? 'their account' : `the account of ${quoteText(owner)}`;
  return buildMail(
    {
      subject: `An invitation from ${showWords(inviter)}`,
      paragraphs: [
        `${quoteText(inviter)} invites you to ${whose} of this transcript service, as ${roleTexts[role]}.`,
        'Open the page below and type this code:',
        code.replace(GROUP, '$&-'),
        `It is valid for ${INVITATION_DAYS} days and can be used once. It opens this account alone. If you have an account of your own, sign in to it first; it stays as it is.`,
        'It is for you alone: do not pass it on. If you do not know who invites you, you can ignore this mail.',
      ],
      link: { words: 'Accept the invitation', path: joinPath(id) },
    },
    places,
    stop,
  );
};
