import { isIP } from 'node:net';

const IPV4_MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;
const GROUPS = 8;
const GROUPS_OF_48_BITS = 3;

const ipv4Network = (address: string): string => `${address.split('.').slice(0, 3).join('.')}.0/24`;

const mappedIpv4 = (high: string, low: string): string => {
  const bytes = Buffer.from(high.padStart(4, '0') + low.padStart(4, '0'), 'hex');
  return [...bytes].join('.');
};

/** `URL` writes an IPv6 address in its one canonical form. */
const canonicalIpv6 = (address: string): string =>
  new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1);

const ipv6Network = (address: string): string => {
  const canonical = canonicalIpv6(address);
  const [, high, low] = IPV4_MAPPED.exec(canonical) ?? [];
  if (high !== undefined && low !== undefined) return ipv4Network(mappedIpv4(high, low));
  const [head = '', tail] = canonical.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : GROUPS - groups.length;
  const padded = [...groups, ...Array<string>(missing).fill('0')];
  return `${padded.slice(0, GROUPS_OF_48_BITS).join(':')}::/48`;
};

/** The usual network of one subscriber: /24 of IPv4, /48 of IPv6. All invalid addresses count as one network. */
export const clientNetwork = (address: string): string => {
  const version = isIP(address);
  if (version === 4) return ipv4Network(address);
  return version === 6 ? ipv6Network(address) : 'unknown';
};
