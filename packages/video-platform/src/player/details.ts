import { channelId, type VideoDetails } from '@tds/contracts';
import { z } from 'zod';
import type { Broadcast } from '../types.ts';
import { flag, reading, stringOrNull, text } from './tolerant.ts';

const DIGITS = /^\d{1,9}$/;
const count = reading((value) => {
  const number = typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && Number(number) >= 0 ? Number(number) : null;
});

const videoDetails = z.object({
  videoId: stringOrNull,
  title: text,
  channelId: channelId.nullable().catch(null),
  author: text,
  lengthSeconds: count,
  isLive: flag,
  isUpcoming: flag,
  isPostLiveDvr: flag,
  isLiveContent: flag,
});

/** Only some clients are told it. */
const microformat = z.object({
  playerMicroformatRenderer: z.object({
    publishDate: stringOrNull,
    liveBroadcastDetails: z.object({ endTimestamp: stringOrNull }).nullish().catch(null),
  }),
});

export type ReadDetails = {
  /** The video that the answer says it is about; null if it does not say. */
  readonly answeredId: string | null;
  readonly video: VideoDetails;
  readonly broadcast: Broadcast;
};

const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;
const isoTime = (value: string | null): string | null => {
  if (value === null) return null;
  const at = new Date(value);
  if (Number.isNaN(at.getTime())) return null;
  return DATE_ONLY.test(value) ? value : at.toISOString();
};

/** YYYY-MM-DD, UTC. */
const utcDay = (value: string | null): string | null => isoTime(value)?.slice(0, 'YYYY-MM-DD'.length) ?? null;

const DAY_MS = 86_400_000;
/** Captions of a finished broadcast come hours after its end. */
const CAPTIONS_SETTLE_MS = 2 * DAY_MS;

const broadcastOf = (details: z.infer<typeof videoDetails>, endedAt: string | null, now: Date): Broadcast => {
  if (details.isUpcoming) return 'upcoming';
  if (details.isLive) return 'live';
  if (details.isPostLiveDvr) return 'ended_recently';
  if (!details.isLiveContent) return 'none';
  // Without an end time it may have ended just now, so captions may still come.
  const isSettled = endedAt !== null && now.getTime() - Date.parse(endedAt) > CAPTIONS_SETTLE_MS;
  return isSettled ? 'none' : 'ended_recently';
};

/** Reads `videoDetails` and, where the client gets one, `microformat`. What is not known is null. */
export const readDetails = (
  raw: { videoDetails: unknown; microformat: unknown },
  askedId: string,
  now: Date,
): ReadDetails => {
  const result = videoDetails.safeParse(raw.videoDetails);
  const details = result.success ? result.data : videoDetails.parse({});
  const page = raw.microformat === undefined ? null : microformat.safeParse(raw.microformat).data;
  const extra = page?.playerMicroformatRenderer;
  return {
    answeredId: details.videoId,
    video: {
      id: askedId,
      title: details.title || null,
      channel_id: details.channelId,
      channel_title: details.author || null,
      published_at: utcDay(extra?.publishDate ?? null),
      duration: details.lengthSeconds || null,
    },
    broadcast: broadcastOf(details, isoTime(extra?.liveBroadcastDetails?.endTimestamp ?? null), now),
  };
};
