import type { IncomingMessage } from 'node:http';
import proxyAddress from 'proxy-addr';

/** The caller's address: the socket's, or what trusted proxies say in X-Forwarded-For. Nobody else is believed. */
export type ClientAddress = (request: IncomingMessage) => string;

const IPV4_IN_IPV6 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/;

export const createClientAddress = (trustedProxies: readonly string[]): ClientAddress => {
  const isTrusted = trustedProxies.length > 0 ? proxyAddress.compile([...trustedProxies]) : () => false;
  return (request) => (proxyAddress(request as never, isTrusted) ?? '').replace(IPV4_IN_IPV6, '');
};
