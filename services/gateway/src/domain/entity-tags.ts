import { createHash } from 'node:crypto';

export const etagOf = (text: string): string => `"${createHash('sha256').update(text).digest('base64url')}"`;

/** Whether a list of entity tags, or `*`, contains this one (RFC 9110, section 13.1). */
export const listsTag = (header: string, etag: string): boolean =>
  header.split(',').some((tag) => ['*', etag].includes(tag.trim()));

/** Whether the sender of this If-None-Match has the entity already, for all that its tags may be weak. */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  listsTag((ifNoneMatch ?? '').replaceAll('W/', ''), etag);
