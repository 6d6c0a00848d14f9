import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { uuid } from '@tds/contracts';
import type { Link } from '../domain/mail-text.ts';

/**
 * What the link of a mail ends: mails about monitors and jobs, on behalf of the person who read it, until they are switched on again; or
 * invitations to the address of this one.
 */
export type Stop =
  | { readonly kind: 'events'; readonly personId: string; readonly issuedAt: Date }
  | { readonly kind: 'invitations'; readonly invitationId: string };

const sign = (key: KeyObject, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');
const stopPath = (key: KeyObject, text: string): string => `/v1/mail/stop?link=${text}.${sign(key, text)}`;

export const stopEvents = (key: KeyObject, personId: string, now: Date): Link => ({
  words: 'Stop these mails',
  path: stopPath(key, `e.${personId}.${now.getTime()}`),
});

export const stopInvitations = (key: KeyObject, invitationId: string): Link => ({
  words: 'No more invitations to this address',
  path: stopPath(key, `i.${invitationId}`),
});

/** Null unless a mail of ours had the token. Mails of the release before name the account, whose first person has its id. */
export const readStopToken = (key: KeyObject, token: string): Stop | null => {
  const parts = token.split('.');
  const [text, signature = ''] = [parts.slice(0, -1).join('.'), parts.at(-1)];
  const [actual, expected] = [Buffer.from(signature), Buffer.from(sign(key, text))];
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null;
  const [kind = '', id = kind, issuedMs = 0] = text.split('.');
  if (!uuid.safeParse(id).success) return null;
  return kind === 'i'
    ? { kind: 'invitations', invitationId: id }
    : { kind: 'events', personId: id, issuedAt: new Date(Number(issuedMs)) };
};
