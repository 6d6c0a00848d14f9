import type { Limits } from '../config/limits.ts';
import type { Exit, SessionChange } from '../types.ts';
import { SessionPool } from './session-pool.ts';

/** An exit with its connections. */
export type OpenExit = {
  readonly name: string;
  /** Its bytes are paid for. */
  readonly isProxied: boolean;
  readonly sessions: SessionPool;
};

export const openExit = (
  exit: Exit,
  limits: Limits,
  onSession: (change: SessionChange) => void = () => undefined,
): OpenExit => ({
  name: exit.name,
  isProxied: exit.proxyUrl !== undefined,
  sessions: new SessionPool(exit, limits, onSession),
});

export const directExit: readonly Exit[] = [{ name: 'direct' }];

/** Own source addresses and proxies as exits; the direct one if there are none. */
export const toExits = ({ sourceAddresses, proxyUrls }: ExitAddresses): readonly Exit[] => {
  const exits = [
    ...sourceAddresses.map((sourceAddress, index) => ({ name: `source-${index + 1}`, sourceAddress })),
    ...proxyUrls.map((proxyUrl, index) => ({ name: `proxy-${index + 1}`, proxyUrl })),
  ];
  return exits.length === 0 ? directExit : exits;
};

type ExitAddresses = { readonly sourceAddresses: readonly string[]; readonly proxyUrls: readonly string[] };
