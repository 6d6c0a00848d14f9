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

export const isLoopback = (text: string): boolean =>
  ipaddr.isValid(text) && ipaddr.process(text).range() === 'loopback';

/** The address that the host of a URL is, without brackets; null for a name. */
export const addressIn = (hostname: string): string | null => {
  const text = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(text) ? text : null;
};
