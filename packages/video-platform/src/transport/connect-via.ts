import { randomBytes, randomInt } from 'node:crypto';
import { boundedAgent, boundedPools } from '@tds/bounded-http';
import ipaddr from 'ipaddr.js';
import { SocksClient } from 'socks';
import { buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import type { Limits } from '../config/limits.ts';
import type { Exit } from '../types.ts';

/** Headers and chunk framing, on top of the largest body. */
const OVERHEAD_BYTES = 256 * 1_024;

const maxBytes = ({ playerBytes, watchBytes, pageBytes, feedBytes, timedtextBytes }: Limits): number =>
  Math.max(playerBytes, watchBytes, pageBytes, feedBytes, timedtextBytes) + OVERHEAD_BYTES;

const LETTERS_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Sellers of proxies take eight letters or digits, and one of them nothing else. */
const SESSION_LENGTH = 8;

const randomSessionId = (): string =>
  Array.from({ length: SESSION_LENGTH }, () => LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)]).join(
    '',
  );

/** The URL of a proxy, with a new session if it names one. */
export const proxyAddress = (proxyUrl: string): string =>
  proxyUrl.replaceAll('{session}', randomSessionId).replace(/^rotating\+/, '');

/** A random address of a prefix such as `2001:db8::/64`. */
const randomAddress = (prefix: string): string => {
  const [network, bits] = ipaddr.parseCIDR(prefix);
  const bytes = network.toByteArray();
  const random = randomBytes(bytes.length);
  const mixed = bytes.map((byte, index) => {
    const fixedBits = Math.min(8, Math.max(0, bits - index * 8));
    const hostMask = 0xff >> fixedBits;
    return (byte & ~hostMask) | ((random[index] ?? 0) & hostMask);
  });
  return ipaddr.fromByteArray(mixed).toString();
};

const SOCKS_PORT = 1_080;

/** A tunnel by SOCKS 5; the proxy resolves the name. */
const socksConnector = (proxy: URL, timeout: number): buildConnector.connector => {
  const connectTls = buildConnector({ timeout, allowH2: false });
  return (options, done) => {
    const isTls = options.protocol === 'https:';
    SocksClient.createConnection({
      proxy: {
        host: proxy.hostname.replace(/^\[|\]$/g, ''),
        port: Number(proxy.port || SOCKS_PORT),
        type: 5,
        userId: decodeURIComponent(proxy.username),
        password: decodeURIComponent(proxy.password),
      },
      command: 'connect',
      destination: { host: options.hostname, port: Number(options.port || (isTls ? 443 : 80)) },
      timeout,
    }).then(
      ({ socket }) => {
        if (isTls) connectTls({ ...options, httpSocket: socket }, done);
        else done(null, socket.setNoDelay());
      },
      // Its own errors have no code.
      (error: Error) => done(Object.assign(error, { code: 'ESOCKS' }), null),
    );
  };
};

/** Opens the connections of one address: of this machine, of a proxy, or of a new session of a rotating exit. */
export const connectVia = (
  { proxyUrl, sourceAddress }: Exit,
  limits: Limits,
  connections: { readonly connections: number; readonly keepAliveTimeout?: number },
): Dispatcher => {
  const options = {
    ...connections,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.bodyIdleMs,
  };
  const timeout = limits.connectMs;
  if (proxyUrl === undefined) {
    const localAddress = sourceAddress?.includes('/') ? randomAddress(sourceAddress) : sourceAddress;
    return boundedAgent(maxBytes(limits), {
      ...options,
      connect: { timeout },
      ...(localAddress === undefined ? {} : { localAddress }),
    });
  }
  const uri = proxyAddress(proxyUrl);
  if (uri.startsWith('socks5:')) {
    return boundedAgent(maxBytes(limits), { ...options, connect: socksConnector(new URL(uri), timeout) });
  }
  return new ProxyAgent({
    ...options,
    connect: { timeout },
    allowH2: false,
    factory: boundedPools(maxBytes(limits)),
    uri,
    proxyTunnel: true,
    proxyTls: { timeout },
  });
};
