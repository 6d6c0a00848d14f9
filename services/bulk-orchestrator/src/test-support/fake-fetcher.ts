import { setTimeout as pause } from 'node:timers/promises';
import {
  type BatchOutcome,
  type ErrorCode,
  type RequestOf,
  serviceError,
  transcriptFetcher,
} from '@tds/contracts';
import { fakeOf } from '@tds/service-kit/testing';

type Asked = RequestOf<typeof transcriptFetcher.fetchTranscripts>;
type Ending = (operationId: string, asked: Asked) => BatchOutcome | null;

const LOOK_MS = 5;
const SHA = 'ab'.repeat(32);

/** What a video's next operations end with: a transcript, unless the test says otherwise; null: it is under way. */
const delivered = (asked: Asked, operationId: string, videoId: string, isHit: boolean): BatchOutcome => ({
  ...{ operationId, state: 'delivered', cache: isHit ? 'HIT' : 'MISS', charge: isHit ? 0 : 1 },
  transcriptId: '3f0e3c2a-5f0b-4b7a-9d5e-0a1b2c3d4e5f',
  video: {
    ...{ id: videoId, title: `Title of ${videoId}`, channel_id: null, channel_title: null },
    ...{ published_at: '2026-01-02', duration: 60 },
  },
  language: {
    ...{ requested: asked.language, delivered: 'en', kind: 'manual', fallback: asked.language !== 'en' },
    translation: asked.language === 'en' ? 'not_requested' : 'unavailable',
  },
  ...{ strategy: 'direct', format: asked.format, objectKey: `files/${videoId}`, bytes: 10, sha256: SHA },
  fetchedAt: '2026-01-03T00:00:00.000Z',
});

export const failedWith = (code: ErrorCode, retryAfterSeconds: number | null = null): Ending => {
  const { data } = serviceError(code as 'no_captions');
  const { errorClass, message, retryable } = data;
  return (operationId) => ({
    ...{ operationId, state: 'failed', code, errorClass, message, retryable, retryAfterSeconds },
  });
};

export const refusedWith =
  (code: 'cold_fetch_cap' | 'global_cold_cap', retryAfterSeconds: number): Ending =>
  (operationId) => ({ operationId, state: 'refused', code, retryAfterSeconds });

const underWay: Ending = () => null;

/** A fetcher in memory: an operation ends once, and says the same for ever after. */
export const fakeFetcher = () => {
  const cached = new Set<string>();
  const endings = new Map<string, Ending>();
  const ended = new Map<string, BatchOutcome>();
  /** Operations that have fetched, in their order. */
  const fetched: string[] = [];
  const most = { atOnce: 0 };
  const endOf = (asked: Asked, { operationId, videoId }: Asked['rows'][number]): BatchOutcome | null => {
    const before = ended.get(operationId);
    if (before) return before;
    const ending = endings.get(videoId);
    const isHit = cached.has(videoId);
    const outcome = ending ? ending(operationId, asked) : delivered(asked, operationId, videoId, isHit);
    if (outcome?.state === 'delivered' && !isHit) {
      fetched.push(videoId);
      cached.add(videoId);
    }
    if (outcome && outcome.state !== 'refused') ended.set(operationId, outcome);
    return outcome;
  };
  const fake = fakeOf(transcriptFetcher, {
    findCachedSelections: async ({ videoIds }) => ({
      cached: videoIds.filter((id) => cached.has(id)),
      failed: [],
    }),
    fetchTranscripts: async (asked, { signal }) => {
      const endsAt = performance.now() + asked.waitMs;
      most.atOnce = Math.max(most.atOnce, asked.rows.length);
      for (;;) {
        const rows = asked.rows.flatMap((row) => endOf(asked, row) ?? []);
        if (rows.length > 0 || signal.aborted || performance.now() >= endsAt) return { rows };
        await pause(LOOK_MS);
      }
    },
  });
  return {
    ...fake,
    cached,
    fetched,
    most,
    /** From now on the operations of this video end so. */
    end: (videoId: string, ending: Ending) => void endings.set(videoId, ending),
    hold: (videoId: string) => void endings.set(videoId, underWay),
    /** As usual again. */
    deliver: (videoId: string) => void endings.delete(videoId),
  };
};
export type FakeFetcher = ReturnType<typeof fakeFetcher>;
