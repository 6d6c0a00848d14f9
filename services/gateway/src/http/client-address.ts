import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddress from 'proxy-addr';

/** The caller's address: the socket's, or what trusted proxies say in X-Forwarded-For. Nobody else is believed. */
export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

const IPV4_IN_IPV6 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/;
/** As some proxies write them; an IPv6 address with a port, or a port of IPv6, needs the brackets (RFC 3986, 3.2.2). */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[\d.]+))(?::\d{1,5})?$/;

/** The address that an entry names, without its port; null for anything that names none. */
const addressOf = (entry: string): string | null => {
  const text = entry.trim();
  if (isIP(text) !== 0) return text;
  const { v4 = '', v6 = '' } = WITH_PORT.exec(text)?.groups ?? {};
  if (isIP(v4) === 4) return v4;
  return isIP(v6) === 6 ? v6 : null;
};

/** Whether this is the address of a proxy that is believed. */
export type TrustedProxy = (address: string) => boolean;

export const createTrustedProxy = (trustedProxies: readonly string[]): TrustedProxy => {
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return (address) => isTrusted(address, 0);
};

/**
 * From the socket back through the proxies, for as long as each one is trusted. An entry that names no address ends the
 * way: whoever wrote it is the caller, for nothing before it can be believed.
 */
export const createClientAddress =
  (isTrusted: TrustedProxy): ClientAddress =>
  ({ headers, socket }) => {
    const entries = String(headers['x-forwarded-for'] ?? '').split(',');
    let address = socket.remoteAddress ?? '';
    for (let hop = 0; hop < entries.length && isTrusted(address); hop += 1) {
      const next = addressOf(entries.at(-1 - hop) as string);
      if (next === null) break;
      address = next;
    }
    return address.replace(IPV4_IN_IPV6, '');
  };
