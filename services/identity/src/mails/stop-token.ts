import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { monitorId, uuid } from '@tds/contracts';
import type { Link } from '../domain/mail-text.ts';

/**
 * What the link of a mail ends: a person's mails about one monitor or job, or about all until they are switched on again; or invitations
 * to the address of this one.
 */
export type Stop =
  | { readonly kind: 'work'; readonly personId: string; readonly issuedAt: Date; readonly workId: string }
  | { readonly kind: 'events'; readonly personId: string; readonly issuedAt: Date }
  | { readonly kind: 'invitations'; readonly invitationId: string };

const sign = (key: KeyObject, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');
const stopPath = (key: KeyObject, text: string): string => `/v1/mail/stop?link=${text}.${sign(key, text)}`;

/** The links by which a person ends mails about monitors and jobs. */
export type Stops = { readonly all: Link; one(workId: string): Link };

export const stopsOf = (key: KeyObject, personId: string, now: Date): Stops => {
  const of = `${personId}.${now.getTime()}`;
  return {
    all: { words: 'Stop all mails about monitors and jobs', path: stopPath(key, `e.${of}`) },
    one: (workId) => ({ words: 'Stop this one', path: stopPath(key, `w.${of}.${workId}`) }),
  };
};

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
  const [kind = '', id = kind, issuedMs = 0, workId] = text.split('.');
  if (!uuid.safeParse(id).success) return null;
  if (kind === 'i') return { kind: 'invitations', invitationId: id };
  const issuedAt = new Date(Number(issuedMs));
  if (kind !== 'w') return { kind: 'events', personId: id, issuedAt };
  const isWork = uuid.safeParse(workId).success || monitorId.safeParse(workId).success;
  return isWork && workId !== undefined ? { kind: 'work', personId: id, issuedAt, workId } : null;
};
