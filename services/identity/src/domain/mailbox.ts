import { domainOf } from './email-address.ts';

/** Hosts that deliver to one mailbox however many dots its name has. */
const dotlessHosts = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
]);

/**
 * The mailbox that a normalised address probably ends in: without its plus tag, and without dots where the host
 * ignores them. Good enough to count free accounts, not to sign in: two people may share it.
 */
export const mailboxOf = (email: string): string => {
  const domain = domainOf(email);
  const local = email.slice(0, -domain.length - 1);
  const untagged = local.replace(/(?<=.)\+.*$/, '');
  const host = dotlessHosts.get(domain);
  return host === undefined ? `${untagged}@${domain}` : `${untagged.replaceAll('.', '')}@${host}`;
};
