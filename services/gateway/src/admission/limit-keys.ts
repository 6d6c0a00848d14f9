import { hashTag } from '@tds/contracts';

/** Where Redis counts. What one script touches together has its account's hash tag. */
export const limitKeys = {
  /** The last admissions of a credential. */
  rate: (accountId: string, digest: string): string => `gateway:rate:${hashTag(accountId)}:${digest}`,
  /** Cached reads of a UTC day; `reader` is the id under which they count. */
  reads: (accountId: string, day: string, reader: string): string =>
    `gateway:reads-by-key:${hashTag(accountId)}:${day}:${reader}`,
  /** The day since which Redis has counted reads of the account without forgetting any. */
  readsSince: (accountId: string): string => `gateway:reads-since:${hashTag(accountId)}:${accountId}`,
  /** Cold fetches that are waited for. */
  cold: (slot: string): string => `gateway:cold:${slot}`,
  /** Requests that cost nothing, which some gateway has yet to report. */
  disowned: 'gateway:disowned',
} as const;
