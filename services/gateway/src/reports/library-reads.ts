import { type CachedRead, HOUR_MS, MAX_RECORDED_READS, transcriptFetcher } from '@tds/contracts';
import type { Kit } from '@tds/kit';
import { LRUCache } from 'lru-cache';
import type { TranscriptEntry } from '../cache/index.ts';
import type { Surface } from '../surface.ts';
import { type OnLoss, ownContext, startReport } from './flusher.ts';

/** Reads that wait to be recorded; beyond that they are served, and recorded when they are repeated. */
const MAX_WAITING = 20_000;
/** Recorded lately: repeats of them are not recorded again. */
const MAX_RECENT_KEYS = 50_000;
/** A repeat after it is recorded again, because the fetcher's database may have been restored. */
const RECENT_MS = HOUR_MS;

const keyOf = ({ accountId, videoId, language, kind, translated }: CachedRead): string =>
  `${accountId} ${videoId} ${language} ${kind} ${translated}`;

/** Each read once an hour, in memory: a killed process loses those of its last second, which are free to read again. */
export const createReadReport = (onLoss: OnLoss, maxWaiting = MAX_WAITING) => {
  let queue: CachedRead[] = [];
  const recentKeys = new LRUCache<string, true>({ max: MAX_RECENT_KEYS, ttl: RECENT_MS });
  return {
    /** Notes a cached read. */
    add(accountId: string, { head: { video, language } }: Pick<TranscriptEntry, 'head'>) {
      const read = {
        accountId,
        videoId: video.id,
        language: language.delivered,
        kind: language.kind,
        translated: language.translation === 'served',
      };
      const key = keyOf(read);
      if (recentKeys.get(key) || queue.length >= maxWaiting) return;
      recentKeys.set(key, true);
      queue.push(read);
    },
    take(limit: number) {
      const batch = queue.slice(0, limit);
      queue = queue.slice(limit);
      return batch;
    },
    isFilling: () => queue.length > MAX_RECORDED_READS,
    batchSize: MAX_RECORDED_READS,
    onRefused(reads: readonly CachedRead[], cause: unknown) {
      // They are noted again when they are repeated.
      for (const read of reads) recentKeys.delete(keyOf(read));
      onLoss(reads.length, cause);
    },
  };
};

/** Puts what this gateway serves from its caches into the libraries of its readers, every second and at the end. */
export const startLibraryReads = (kit: Pick<Kit<Surface>, 'call' | 'log' | 'onStop'>) => {
  const report = createReadReport((reads, error) =>
    kit.log.error('reads were not recorded in libraries', { reads, error }),
  );
  startReport(kit, 'library reads', {
    ...report,
    send: ({ items: reads }) => kit.call(transcriptFetcher.recordReads, { reads }, ownContext()),
  });
  return { add: report.add };
};
export type LibraryReads = ReturnType<typeof startLibraryReads>;
