import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { uuid } from '@tds/contracts';

const sign = (key: KeyObject, accountId: string): Buffer =>
  createHmac('sha256', key).update(accountId).digest();

/** The path that ends the mails about monitors and jobs of an account: it works for ever, and for nothing else. */
export const stopPath = (key: KeyObject, accountId: string): string =>
  `/v1/mail/stop?link=${accountId}.${sign(key, accountId).toString('base64url')}`;

/** The account of a token; null unless a mail of ours had it. */
export const readStopToken = (key: KeyObject, token: string): string | null => {
  const [accountId = '', signature = ''] = token.split('.');
  const [actual, expected] = [Buffer.from(signature, 'base64url'), sign(key, accountId)];
  const isOurs = actual.length === expected.length && timingSafeEqual(actual, expected);
  return isOurs && uuid.safeParse(accountId).success ? accountId : null;
};
