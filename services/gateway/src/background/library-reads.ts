import { randomUUID } from 'node:crypto';
import { isServiceAway } from '@tds/base';
import { type CachedRead, MAX_RECORDED_READS, transcriptFetcher } from '@tds/contracts';
import type { Kit } from '@tds/kit';
import { LRUCache } from 'lru-cache';
import type { TranscriptEntry } from '../cache/transcript-memory.ts';
import type { Surface } from '../surface.ts';

/** Reads that wait to be recorded; beyond that they are served and recorded when they are repeated. */
const MAX_WAITING = 20_000;
/** Recorded lately: repeats of them are not recorded again. */
const MAX_KNOWN = 50_000;

type ReadCollector = {
  /** Notes a cached read. */
  add(accountId: string, transcript: Pick<TranscriptEntry, 'head'>): void;
  /** Up to `most` reads that wait, the oldest first. */
  peek(most: number): CachedRead[];
  /** Removes these from those that wait. */
  remove(reads: readonly CachedRead[], wereRecorded: boolean): void;
};

const keyOf = ({ accountId, videoId, language, kind, translated }: CachedRead): string =>
  `${accountId} ${videoId} ${language} ${kind} ${translated}`;

/** Each read once, in memory: a killed process loses those of its last second, which are free to read again. */
export const createReadCollector = (mostWaiting = MAX_WAITING, mostKnown = MAX_KNOWN): ReadCollector => {
  const waiting = new Map<string, CachedRead>();
  const known = new LRUCache<string, true>({ max: mostKnown });
  return {
    add(accountId, { head: { video, language } }) {
      const read = {
        accountId,
        videoId: video.id,
        language: language.delivered,
        kind: language.kind,
        translated: language.translation === 'served',
      };
      const key = keyOf(read);
      if (known.get(key) || waiting.size >= mostWaiting) return;
      waiting.set(key, read);
    },
    peek: (most) => [...waiting.values().take(most)],
    remove(reads, wereRecorded) {
      for (const key of reads.map(keyOf)) {
        waiting.delete(key);
        if (wereRecorded) known.set(key, true);
      }
    },
  };
};

const FLUSH_EVERY_MS = 1_000;
const PATIENCE_MS = 2_000;

type RecordReads = (reads: CachedRead[]) => Promise<unknown>;

/** Records all reads that wait, one batch at a time, and keeps them if the fetcher is away; never rejects. */
export const createReadFlusher = (
  collector: Pick<ReadCollector, 'peek' | 'remove'>,
  send: RecordReads,
  onLoss: (reads: number, error: unknown) => void,
): (() => Promise<void>) => {
  const flush = async (): Promise<void> => {
    for (;;) {
      const reads = collector.peek(MAX_RECORDED_READS);
      if (reads.length === 0) return;
      try {
        await send(reads);
        collector.remove(reads, true);
      } catch (error) {
        if (isServiceAway(error)) return;
        collector.remove(reads, false);
        onLoss(reads.length, error);
      }
    }
  };
  let running: Promise<void> | null = null;
  return () => {
    running ??= flush().finally(() => {
      running = null;
    });
    return running;
  };
};

/** Puts what this gateway serves from its caches into the libraries of its readers, every second and at the end. */
export const startLibraryReads = (
  kit: Pick<Kit<Surface>, 'call' | 'log' | 'onStop'>,
): Pick<ReadCollector, 'add'> => {
  const collector = createReadCollector();
  const flush = createReadFlusher(
    collector,
    (reads) =>
      kit.call(
        transcriptFetcher.recordReads,
        { reads },
        { requestId: randomUUID(), accountId: null, signal: AbortSignal.timeout(PATIENCE_MS) },
      ),
    (reads, error) => kit.log.error('reads were not recorded in libraries', { reads, error }),
  );
  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS);
  kit.onStop('library reads', async () => {
    clearInterval(timer);
    await flush();
  });
  return collector;
};
