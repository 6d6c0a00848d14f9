import { later, secondsUntil } from './time.ts';

/** At most `limit` hits of one subject in a window that begins with its first hit. */
export type Throttle = {
  readonly scope: string;
  readonly subject: string;
  readonly limit: number;
  readonly windowMs: number;
};
export type Hit = { readonly scope: string; readonly startedAt: Date; readonly hits: number };
export type NetworkLimits = { readonly perHour: number; readonly perDay: number };

/** The caller of a sign-in: `device` is the name of a browser that is known to the address, or null. */
export type Caller = { readonly network: string; readonly device: string | null };

/** The exceeded throttle that clears last, or null. */
export const longestWait = (
  throttles: readonly Throttle[],
  hits: readonly Hit[],
  now: Date,
): { readonly scope: string; readonly retryAfterSeconds: number } | null => {
  const waits = throttles.flatMap(({ scope, limit, windowMs }) => {
    const hit = hits.find((one) => one.scope === scope);
    return hit && hit.hits > limit ? [{ scope, clearsAt: later(hit.startedAt, windowMs) }] : [];
  });
  const [last] = waits.toSorted((one, other) => other.clearsAt.getTime() - one.clearsAt.getTime());
  return last ? { scope: last.scope, retryAfterSeconds: secondsUntil(last.clearsAt, now) } : null;
};
