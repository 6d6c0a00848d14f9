import { MINUTE_MS } from '@tds/contracts';
import { hasCode } from '@tds/errors';
import { LRUCache } from 'lru-cache';
import { etagOf } from '../domain/entity-tags.ts';
import type { MonotonicClock } from '../redis/index.ts';

const MEMORY_BYTES = 16 * 1_024 * 1_024;
const ENTRY_OVERHEAD_BYTES = 1_024;

/** Feeds by their ids, and ids without one, whose text is null: readers that come often, or together, ask the services once a minute. */
export const createFeedMemory = (clock: MonotonicClock) =>
  new LRUCache<string, { readonly text: string | null; readonly etag: string }, () => Promise<string>>({
    maxSize: MEMORY_BYTES,
    sizeCalculation: ({ text }) => Buffer.byteLength(text ?? '') + ENTRY_OVERHEAD_BYTES,
    ttl: MINUTE_MS,
    ttlResolution: 0,
    perf: { now: clock },
    fetchMethod: async (_id, _stale, { context: render }) => {
      const text = await render().catch((error) => {
        if (hasCode(error, 'feed_not_found')) return null;
        throw error;
      });
      return { text, etag: etagOf(text ?? '') };
    },
  });
export type FeedMemory = ReturnType<typeof createFeedMemory>;
