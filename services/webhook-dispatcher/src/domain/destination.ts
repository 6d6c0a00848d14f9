import { MAX_WEBHOOK_URL_LENGTH } from '@tds/contracts';
import ipaddr from 'ipaddr.js';

/** The only IPv6 range in public allocation. Addresses outside of it may be routed inside a network. */
const ALLOCATED_IPV6 = ipaddr.parseCIDR('2000::/3');

/** Whether the address means the same machine everywhere on the Internet. */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  const isAllocated = address.kind() === 'ipv4' || address.match(ALLOCATED_IPV6);
  return address.range() === 'unicast' && isAllocated;
};

const isLoopback = (text: string): boolean =>
  ipaddr.isValid(text) && ipaddr.process(text).range() === 'loopback';

/** The IP address in a URL's host, without brackets; null for a name. */
export const ipAddressIn = (hostname: string): string | null => {
  const text = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(text) ? text : null;
};

const MAX_HOST_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;
/** 443 is the default and therefore empty; 8443 is the usual second port for TLS. */
const allowedPorts: readonly string[] = ['', '8443'];
const privateSuffixes = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home.arpa'];

/** Why the dispatcher refuses a URL. */
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
  host.length <= MAX_HOST_LENGTH &&
  host.split('.').every(({ length }) => length > 0 && length <= MAX_LABEL_LENGTH);

/** A name without a dot is local: each network resolves it to another machine. */
const isPrivateName = (host: string, { ownHosts }: DestinationRules): boolean =>
  !host.includes('.') || [...privateSuffixes, ...ownHosts].some((domain) => isAtOrBelow(host, domain));

/** The host without a final dot. `URL` has already lowered its case. */
const hostOf = ({ hostname }: URL): string => (hostname.endsWith('.') ? hostname.slice(0, -1) : hostname);

export const isLocalReceiver = (url: URL): boolean =>
  url.hostname === 'localhost' || isLoopback(ipAddressIn(url.hostname) ?? '');

const checkHost = (host: string, rules: DestinationRules) => {
  const address = ipAddressIn(host);
  if (address === null && !isName(host)) throw new DestinationError('invalid');
  const isPrivate = address === null ? isPrivateName(host, rules) : !isPublicAddress(address);
  if (isPrivate) throw new DestinationError('private');
};

/** Parses a URL that must be public https without credentials. Does not resolve names. Throws `DestinationError`. */
export const readDestination = (text: string, rules: DestinationRules): URL => {
  const url = text.length > MAX_WEBHOOK_URL_LENGTH ? null : URL.parse(text);
  if (url === null || url.href.length > MAX_WEBHOOK_URL_LENGTH) throw new DestinationError('invalid');
  if (url.username !== '' || url.password !== '') throw new DestinationError('invalid');
  url.hash = '';
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (isWeb && rules.takesLocalReceivers && isLocalReceiver(url)) return url;
  if (url.protocol !== 'https:') throw new DestinationError('invalid');
  checkHost(hostOf(url), rules);
  if (!allowedPorts.includes(url.port)) throw new DestinationError('invalid');
  return url;
};
