import { randomUUID } from 'node:crypto';
import type { Delivery, Fetch } from '../store/fetches.ts';
import { selection, video } from './cached.ts';

/** What a fetch has brought that found the manual English track of its video, which is new. */
export const deliveryFor = (fetch: Fetch, now: Date): Omit<Delivery, 'reportedTo'> => {
  const { videoId } = fetch;
  const id = randomUUID();
  const track = { videoId, languageCode: 'en', kind: 'manual', translated: false } as const;
  const inspected = { video: { ...video, id: videoId }, tracks: [] };
  const snapshot = { video: inspected.video, cuesKey: 'cues/x', cachedAt: now, strategy: null };
  return {
    ...{ fetch, inspected, track, selection },
    transcript: { ...track, ...snapshot, id, cueCount: 1 },
    file: { format: 'srt', objectKey: `rendered/${id}/srt`, bytes: 1, sha256: 'x', crc32: 1 },
    ...{ cachedId: null, now },
  };
};
