import { createHash } from 'node:crypto';

const KEY_LENGTH = 22;

/** The same videos in the same order have the same key, whoever resolves them and whenever. */
export const listKey = (videoIds: readonly string[]): string =>
  createHash('sha256').update(videoIds.join(',')).digest('base64url').slice(0, KEY_LENGTH);
