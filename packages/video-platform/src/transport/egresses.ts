import type { Limits } from '../config/limits.ts';
import type { Egress, SessionChange } from '../types.ts';
import { SessionPool } from './session-pool.ts';

/** An exit with its connections. */
export type OpenEgress = {
  readonly name: string;
  /** Its bytes are paid for. */
  readonly isProxied: boolean;
  readonly sessions: SessionPool;
};

export const openEgress = (
  egress: Egress,
  limits: Limits,
  onSession: (change: SessionChange) => void = () => undefined,
): OpenEgress => ({
  name: egress.name,
  isProxied: egress.proxyUrl !== undefined,
  sessions: new SessionPool(egress, limits, onSession),
});

export const directEgress: readonly Egress[] = [{ name: 'direct' }];

/** Own source addresses and proxies as exits; the direct one if there are none. */
export const egressesOf = ({ sourceAddresses, proxyUrls }: ExitAddresses): readonly Egress[] => {
  const exits = [
    ...sourceAddresses.map((sourceAddress, index) => ({ name: `source-${index + 1}`, sourceAddress })),
    ...proxyUrls.map((proxyUrl, index) => ({ name: `proxy-${index + 1}`, proxyUrl })),
  ];
  return exits.length === 0 ? directEgress : exits;
};

type ExitAddresses = { readonly sourceAddresses: readonly string[]; readonly proxyUrls: readonly string[] };
