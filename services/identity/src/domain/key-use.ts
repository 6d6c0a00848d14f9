import { MINUTE_MS } from './time.ts';

/** Marking a use is a write; once a minute is exact enough for a look-up that most requests do without. */
const MARK_EVERY_MS = MINUTE_MS;

export const isUseWorthMarking = (lastUsedAt: Date | null, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= MARK_EVERY_MS;
