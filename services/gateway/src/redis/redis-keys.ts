import { hashTag } from '@tds/contracts';

/** The gateway's keys in Redis. All keys that one script touches have the account's hash tag. */
export const redisKeys = {
  /** Rate log of a key or a session. */
  rate: (accountId: string, counter: string): string => `gateway:rate:${hashTag(accountId)}:${counter}`,
  /** Cache reads of a UTC day; `reader` is the id under which they count. */
  reads: (accountId: string, day: string, reader: string): string =>
    `gateway:cached-reads:${hashTag(accountId)}:${day}:${reader}`,
  /** Leases on cold fetches. */
  cold: (slot: string): string => `gateway:cold:${slot}`,
  /** The minute of the first of an assistant's repeated calls. */
  toolCall: (digest: string): string => `gateway:tool-call:${digest}`,
  /** Waived requests to report. */
  waived: 'gateway:waived',
} as const;
