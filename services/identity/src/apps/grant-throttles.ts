import { DAY_MS, type GrantRecordKind, HOUR_MS, MINUTE_MS } from '@tds/contracts';
import type { Throttle } from '../domain/sign-in-code.ts';

const ALL = 'all';

/** The limits of records that anyone may make without signing in: clients, and requests of apps. Others have none. */
export const anonymousThrottles = (kind: GrantRecordKind, network: string): readonly Throttle[] => {
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

/** The pace of one connection: many programs that share its tokens, or one in a loop. */
export const refreshThrottle = (grantId: string): Throttle => ({
  ...{ scope: 'refreshes-of-connection', subject: grantId, limit: 120, windowMs: HOUR_MS },
});

/** How late a second use comes, for a metric. */
export const ageOf = (usedAt: Date, now: Date): 'minute' | 'hour' | 'later' => {
  const ms = now.getTime() - usedAt.getTime();
  if (ms <= MINUTE_MS) return 'minute';
  return ms <= HOUR_MS ? 'hour' : 'later';
};
