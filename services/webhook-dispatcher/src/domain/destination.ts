import { LONGEST_WEBHOOK_URL } from '@tds/contracts';
import ipaddr from 'ipaddr.js';

/** The only addresses of IPv6 that are given to anybody: what lies outside may be routed inside a network. */
const GIVEN_IPV6 = ipaddr.parseCIDR('2000::/3');

/** Whether everybody on the Internet means the same machine by it. */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  const isGiven = address.kind() === 'ipv4' || address.match(GIVEN_IPV6);
  return address.range() === 'unicast' && isGiven;
};

const isLoopback = (text: string): boolean =>
  ipaddr.isValid(text) && ipaddr.process(text).range() === 'loopback';

/** The address that the host of a URL is, without brackets; null for a name. */
export const addressIn = (hostname: string): string | null => {
  const text = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(text) ? text : null;
};

const LONGEST_HOST = 253;
const LONGEST_LABEL = 63;
/** Besides 443, where TLS is at home when 443 is taken. */
const ports: readonly string[] = ['', '8443'];
const privateSuffixes = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home.arpa'];

/** Why nothing is sent to an address. */
export type DestinationFault = 'invalid' | 'private' | 'dns_failed' | 'dns_empty';

export class DestinationError extends Error {
  override readonly name = 'DestinationError';
  readonly fault: DestinationFault;

  constructor(fault: DestinationFault) {
    super(`webhook address: ${fault}`);
    this.fault = fault;
  }
}

export type DestinationRules = {
  readonly ownHosts: readonly string[];
  readonly takesLocalReceivers: boolean;
};

const isAtOrBelow = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

const isName = (host: string): boolean =>
  host.length <= LONGEST_HOST && host.split('.').every(({ length }) => length > 0 && length <= LONGEST_LABEL);

/** A name without a dot means another machine in each network. */
const isPrivateName = (host: string, { ownHosts }: DestinationRules): boolean =>
  !host.includes('.') || [...privateSuffixes, ...ownHosts].some((domain) => isAtOrBelow(host, domain));

/** The host as everything compares it: `URL` has lowered its case already. */
const hostOf = ({ hostname }: URL): string => (hostname.endsWith('.') ? hostname.slice(0, -1) : hostname);

export const isLocalReceiver = (url: URL): boolean =>
  url.hostname === 'localhost' || isLoopback(addressIn(url.hostname) ?? '');

const checkHost = (host: string, rules: DestinationRules): void => {
  const address = addressIn(host);
  if (address === null && !isName(host)) throw new DestinationError('invalid');
  const isPrivate = address === null ? isPrivateName(host, rules) : !isPublicAddress(address);
  if (isPrivate) throw new DestinationError('private');
};

/**
 * The address that a webhook may be sent to as far as its text tells: public https without credentials. Throws
 * `DestinationError`. Where a name leads is not known yet.
 */
export const readDestination = (text: string, rules: DestinationRules): URL => {
  const url = text.length > LONGEST_WEBHOOK_URL ? null : URL.parse(text);
  if (url === null || url.href.length > LONGEST_WEBHOOK_URL) throw new DestinationError('invalid');
  if (url.username !== '' || url.password !== '') throw new DestinationError('invalid');
  url.hash = '';
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (isWeb && rules.takesLocalReceivers && isLocalReceiver(url)) return url;
  if (url.protocol !== 'https:') throw new DestinationError('invalid');
  checkHost(hostOf(url), rules);
  if (!ports.includes(url.port)) throw new DestinationError('invalid');
  return url;
};
