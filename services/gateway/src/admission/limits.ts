import type { Tier } from '@tds/contracts';

export type Limits = {
  readonly requestsPerMinute: number;
  /** Cold fetches that callers wait for at once. */
  readonly coldAtOnce: number;
};

/** Per key and tier (specification, part 8). */
export const keyLimits: Readonly<Record<Tier, Limits>> = {
  free: { requestsPerMinute: 60, coldAtOnce: 2 },
  paid: { requestsPerMinute: 300, coldAtOnce: 10 },
};

export const WINDOW_MS = 60_000;
