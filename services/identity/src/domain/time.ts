import { SECOND_MS } from '@tds/contracts';

export const later = (time: Date, ms: number): Date => new Date(time.getTime() + ms);
export const earlier = (time: Date, ms: number): Date => later(time, -ms);

/** Whole seconds from `now` until `time`, rounded up, at least 1, for Retry-After. */
export const secondsUntil = (time: Date, now: Date): number =>
  Math.max(1, Math.ceil((time.getTime() - now.getTime()) / SECOND_MS));
