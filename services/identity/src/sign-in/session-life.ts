import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tds/contracts';
import { later } from '../domain/time.ts';

const IDLE_LIFE_MS = 12 * HOUR_MS;
const ABSOLUTE_LIFE_MS = 30 * DAY_MS;
/** Sliding the expiry is a write; once a minute is exact enough for twelve hours. */
const SLIDE_EVERY_MS = MINUTE_MS;

export const pickEarlier = (one: Date, other: Date): Date => (one < other ? one : other);

export const newSessionLife = (now: Date) => ({
  createdAt: now,
  seenAt: now,
  idleExpiresAt: later(now, IDLE_LIFE_MS),
  expiresAt: later(now, ABSOLUTE_LIFE_MS),
});

/** The new times of a session that was used, or null while the last ones are fresh enough. */
export const slideSession = (
  session: { readonly seenAt: Date; readonly expiresAt: Date },
  now: Date,
): { seenAt: Date; idleExpiresAt: Date } | null =>
  now.getTime() - session.seenAt.getTime() < SLIDE_EVERY_MS
    ? null
    : { seenAt: now, idleExpiresAt: pickEarlier(later(now, IDLE_LIFE_MS), session.expiresAt) };
