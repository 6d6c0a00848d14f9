import { domainToASCII } from 'node:url';
import { parse } from 'tldts';

/** RFC 5321 with RFC 3696's erratum: a path of 256 octets without its angle brackets. */
const MAX_ADDRESS_LENGTH = 254;
const MAX_LOCAL_PART_LENGTH = 64;
const MAX_INPUT_LENGTH = 512;

/** Dot-separated atoms of RFC 5322, without characters that mail servers read as routes (% ! |) or that shells interpret. */
const localPart = /^[a-z0-9_'+&=~-]+(?:\.[a-z0-9_'+&=~-]+)*$/;
const domainLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** `domainToASCII` decodes per cent signs and stops at the delimiters of a URL, so these are rejected first. */
const notInDomain = /[\p{Cc}\p{Z}/\\?#@:%[\]]/u;

/** Pasted addresses often begin or end with direction marks or zero-width spaces. */
const invisibleAround = /^[\s\p{Cf}]+|(?<![\s\p{Cf}])[\s\p{Cf}]+$/gu;
/** Copied ones have them inside, too, as our mails do around signs. Joiners mean something in names of domains. */
const invisibleInside = /[^\P{Cf}\u200c\u200d]+/gu;

const asciiDomain = (domain: string): string | null => {
  if (notInDomain.test(domain)) return null;
  const ascii = domainToASCII(domain);
  const labels = ascii.split('.');
  const isName = labels.length >= 2 && labels.every((label) => domainLabel.test(label));
  return isName && /[a-z]/.test(labels.at(-1) ?? '') ? ascii : null;
};

/**
 * Normalizes an address for comparison and mail: trimmed, NFKC, lower case, the domain in IDNA form. Null if it is not a plain address. Dots
 * and plus tags stay, because they may mean different people.
 */
export const normalizeEmail = (text: string): string | null => {
  if (text.length > MAX_INPUT_LENGTH) return null;
  const folded = text.replace(invisibleAround, '').replace(invisibleInside, '').normalize('NFKC').toLowerCase();
  const at = folded.lastIndexOf('@');
  const local = folded.slice(0, at);
  if (at < 1 || local.length > MAX_LOCAL_PART_LENGTH || !localPart.test(local)) return null;
  const domain = asciiDomain(folded.slice(at + 1));
  const address = `${local}@${domain}`;
  return domain === null || address.length > MAX_ADDRESS_LENGTH ? null : address;
};

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/** Whether the domain or one of its parents is listed, in IDNA form. */
export const isDisposableDomain = (domain: string, blocklist: ReadonlySet<string>): boolean => {
  const labels = domain.split('.');
  return labels.some((_label, index) => blocklist.has(labels.slice(index).join('.')));
};

/** Hosts of one provider that ignores dots in mailbox names. */
const dotlessHosts: readonly string[] = ['gmail.com', 'googlemail.com'];

/** Providers whose mailboxes have addresses with a tag after a hyphen, under any suffix. */
const hyphenTagged = new Set(['yahoo', 'ymail', 'rocketmail', 'myyahoo']);

/** The domains whose owner may give out mailboxes at a host: of the customers of a hosting provider, their own. */
const registeredDomainOf = (host: string): string => parse(host, { allowPrivateDomains: true }).domain ?? host;

/** A normalized address without its tag, and without dots if its host ignores them. */
const removeTag = (email: string): { readonly local: string; readonly host: string } => {
  const host = domainOf(email);
  const local = email.slice(0, -host.length - 1).replace(/(?<=.)\+.*/, '');
  if (dotlessHosts.includes(host)) return { local: local.replaceAll('.', ''), host: 'gmail.com' };
  const { domainWithoutSuffix } = parse(host, { allowPrivateDomains: true });
  const isTagged = domainWithoutSuffix !== null && hyphenTagged.has(domainWithoutSuffix);
  return { local: isTagged ? local.replace(/(?<=.)-.*/, '') : local, host };
};

/** The mailbox that probably receives mail to a normalized address. Not to sign in: two people may share it. */
export const mailboxOf = (email: string): string => {
  const { local, host } = removeTag(email);
  return `${local}@${host}`;
};

/** The mailbox at the registered domain, whose owner may have any number of hosts: to count free accounts. */
export const freeMailboxOf = (email: string): string => {
  const { local, host } = removeTag(email);
  return `${local}@${registeredDomainOf(host)}`;
};

/** The hosts of an address: those of one provider are the same. */
export const hostsOf = (email: string): readonly string[] => {
  const host = domainOf(email);
  return dotlessHosts.includes(host) ? dotlessHosts : [host];
};

/** The registered domain whose new accounts are counted; null for a mail provider, whose addresses belong to many people. */
export const countedDomainOf = (email: string, providers: ReadonlySet<string>): string | null => {
  const host = domainOf(email);
  return providers.has(host) ? null : registeredDomainOf(host);
};
