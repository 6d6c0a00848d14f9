import { HOUR_MS } from './time.ts';

/** At most four mails a day about one webhook, however often it is changed. */
export const NOTICE_EVERY_MS = 6 * HOUR_MS;

/** How long the next mail has to wait. */
export const waitMs = (mailedAt: Date | null, now: Date): number =>
  mailedAt === null ? 0 : Math.max(0, mailedAt.getTime() + NOTICE_EVERY_MS - now.getTime());
