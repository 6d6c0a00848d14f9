import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddress from 'proxy-addr';

/** The caller's address: the socket's, or the one that trusted proxies give in X-Forwarded-For. */
export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

const IPV4_IN_IPV6 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/;
/** Some proxies append a port. IPv6 addresses with a port need brackets (RFC 3986, 3.2.2). */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[\d.]+))(?::\d{1,5})?$/;

/** The address in an entry, without its port; null if there is none. */
const parseAddress = (entry: string): string | null => {
  const text = entry.trim();
  if (isIP(text) !== 0) return text;
  const { v4 = '', v6 = '' } = WITH_PORT.exec(text)?.groups ?? {};
  if (isIP(v4) === 4) return v4;
  return isIP(v6) === 6 ? v6 : null;
};

export type TrustedProxy = (address: string) => boolean;

export const createTrustedProxy = (trustedProxies: readonly string[]): TrustedProxy => {
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return (address) => isTrusted(address, 0);
};

/**
 * Walks back from the socket through the proxies while each one is trusted. An entry without an address ends
 * the walk: its writer counts as the caller, because nothing before it can be trusted.
 */
export const createClientAddress =
  (isTrusted: TrustedProxy): ClientAddress =>
  ({ headers, socket }) => {
    const entries = String(headers['x-forwarded-for'] ?? '').split(',');
    let address = socket.remoteAddress ?? '';
    for (let hop = 0; hop < entries.length && isTrusted(address); hop += 1) {
      const next = parseAddress(entries.at(-1 - hop) as string);
      if (next === null) break;
      address = next;
    }
    return address.replace(IPV4_IN_IPV6, '');
  };
