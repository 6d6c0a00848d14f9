import { DAY_MS, type GrantRecordKind, HOUR_MS } from '@tds/contracts';
import type { Throttle } from './sign-in-code.ts';

const ALL = 'all';

/** The limits of records that anyone may make without signing in: clients, and requests of apps. Others have none. */
export const strangerThrottles = (kind: GrantRecordKind, network: string): readonly Throttle[] => {
  if (kind === 'Client')
    return [
      // Servers of an assistant register it for each of its users, all from one network.
      { scope: 'clients-of-network', subject: network, limit: 100, windowMs: HOUR_MS },
      { scope: 'clients', subject: ALL, limit: 10_000, windowMs: DAY_MS },
    ];
  if (kind === 'Interaction')
    return [
      { scope: 'requests-of-network', subject: network, limit: 120, windowMs: HOUR_MS },
      { scope: 'requests', subject: ALL, limit: 20_000, windowMs: HOUR_MS },
    ];
  return [];
};
