import { parse } from 'tldts';
import { domainOf } from './email-address.ts';

/** Hosts that deliver to one mailbox however many dots its name has. */
const dotlessHosts = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
]);

/** Names of a provider whose mailboxes have further addresses with a tag behind a hyphen, under any suffix. */
const hyphenTagged = new Set(['yahoo', 'ymail', 'rocketmail', 'myyahoo']);

/**
 * The mailbox that probably receives a normalised address: without its plus tag, without dots or hyphen tags if the host ignores
 * them, and at the registered domain, since its owner has all subdomains too. Good enough to count free accounts but not to sign
 * in: two people may share it.
 */
export const mailboxOf = (email: string): string => {
  const given = domainOf(email);
  const local = email.slice(0, -given.length - 1).replace(/(?<=.)\+.*$/, '');
  const { domain, domainWithoutSuffix } = parse(given, { allowPrivateDomains: true });
  const host = domain ?? given;
  const dotless = dotlessHosts.get(host);
  if (dotless !== undefined) return `${local.replaceAll('.', '')}@${dotless}`;
  const isTagged = domainWithoutSuffix !== null && hyphenTagged.has(domainWithoutSuffix);
  return `${isTagged ? local.replace(/(?<=.)-.*$/, '') : local}@${host}`;
};
