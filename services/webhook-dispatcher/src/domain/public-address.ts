import ipaddr from 'ipaddr.js';

/** `::1.2.3.4`, long out of use, which the library takes for an address like any other. */
const IPV4_COMPATIBLE = ipaddr.parseCIDR('::/96');

/** Whether everybody on the Internet means the same machine by it. */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  const isCompatible = address.kind() === 'ipv6' && address.match(IPV4_COMPATIBLE);
  return address.range() === 'unicast' && !isCompatible;
};

export const isLoopback = (text: string): boolean =>
  ipaddr.isValid(text) && ipaddr.process(text).range() === 'loopback';

/** The address that the host of a URL is, without brackets; null for a name. */
export const addressIn = (hostname: string): string | null => {
  const text = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(text) ? text : null;
};
