import { boundedAgent, boundedPools } from '@tds/bounded-http';
import { type Dispatcher, ProxyAgent } from 'undici';
import type { Limits } from '../config/limits.ts';
import type { Egress } from '../types.ts';

/** An egress with its connections; `cookie` is the consent cookie of its address. */
export type OpenEgress = {
  readonly name: string;
  readonly isProxied: boolean;
  readonly dispatcher: Dispatcher;
  cookie: string | null;
};

const CONNECTIONS_PER_EGRESS = 64;

/** Headers and chunk framing, on top of the largest body. */
const BESIDE_BODIES = 256 * 1_024;

const mostBytes = ({ playerBytes, watchBytes, pageBytes, feedBytes, timedtextBytes }: Limits): number =>
  Math.max(playerBytes, watchBytes, pageBytes, feedBytes, timedtextBytes) + BESIDE_BODIES;

const dispatcherFor = (egress: Egress, limits: Limits): Dispatcher => {
  const options = {
    connections: CONNECTIONS_PER_EGRESS,
    connect: { timeout: limits.connectMs },
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.bodyIdleMs,
  };
  return egress.proxyUrl === undefined
    ? boundedAgent(mostBytes(limits), options)
    : new ProxyAgent({
        ...options,
        allowH2: false,
        factory: boundedPools(mostBytes(limits)),
        uri: egress.proxyUrl,
        proxyTunnel: true,
        proxyTls: { timeout: limits.connectMs },
      });
};

export const openEgress = (egress: Egress, limits: Limits): OpenEgress => ({
  name: egress.name,
  isProxied: egress.proxyUrl !== undefined,
  dispatcher: dispatcherFor(egress, limits),
  cookie: null,
});

export const directEgress: readonly Egress[] = [{ name: 'direct' }];

/** One egress per HTTP proxy, in order of preference; the direct one if there is none. */
export const egressesOf = (proxyUrls: readonly string[]): readonly Egress[] =>
  proxyUrls.length === 0
    ? directEgress
    : proxyUrls.map((proxyUrl, index) => ({ name: `proxy-${index + 1}`, proxyUrl }));
