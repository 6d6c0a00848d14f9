import { channelId, type VideoDetails } from '@tds/contracts';
import { z } from 'zod';
import {
  broken,
  firstMatch,
  isYoung,
  meanings,
  playabilityRows,
  type Refusal,
  RefusedAnswer,
  refusal,
} from '../classification/index.ts';
import { bounds } from '../config/limits.ts';
import { bag, flag, isoDate, list, parseAnswer, stringOrNull, text } from '../reading/index.ts';
import type { Broadcast } from '../types.ts';
import { readCaptions } from './captions.ts';
import { count, readFacts, wireFacts } from './video-facts.ts';

const videoDetails = z.object({
  videoId: stringOrNull,
  title: text,
  channelId: channelId.nullable().catch(null),
  author: text,
  lengthSeconds: count,
  ...wireFacts.shape,
  isLive: flag,
  isUpcoming: flag,
  isPostLiveDvr: flag,
  isLiveContent: flag,
});

/** Only some clients get it. */
const microformat = z.object({
  playerMicroformatRenderer: z.object({
    publishDate: stringOrNull,
    liveBroadcastDetails: z
      .object({ startTimestamp: stringOrNull, endTimestamp: stringOrNull })
      .nullish()
      .catch(null),
  }),
});

/** YYYY-MM-DD, UTC. */
const utcDay = (value: string | null | undefined): string | null =>
  isoDate(value)?.slice(0, 'YYYY-MM-DD'.length) ?? null;

const DAY_S = 86_400;
const ONE_DAY = /^\d{4}-\d\d-\d\d$/;

/** Seconds since a time, or since the end of a day without a time: 0 if that is to come within a day. Null if it is unknown or later. */
const secondsSince = (value: string | null | undefined, now: Date): number | null => {
  const at = isoDate(value);
  if (at === null) return null;
  const seconds = (now.getTime() - Date.parse(at)) / 1_000 - (ONE_DAY.test(value?.trim() ?? '') ? DAY_S : 0);
  return seconds < -DAY_S ? null : Math.max(0, seconds);
};

type LiveTimes = { readonly startTimestamp: string | null; readonly endTimestamp: string | null };

/** The age of a video: the time since it was published, began or ended, whatever came last. Null if nothing says it. */
const readAge = (
  publishDate: string | null | undefined,
  live: LiveTimes | null | undefined,
  now: Date,
): number | null => {
  const times = [publishDate, live?.startTimestamp, live?.endTimestamp];
  const ages = times.flatMap((time) => secondsSince(time, now) ?? []);
  return ages.length === 0 ? null : Math.min(...ages);
};

/** Marks of a finished broadcast stay for ever; captions come to a young one only. */
const toBroadcast = (details: z.infer<typeof videoDetails>, ageSeconds: number | null): Broadcast => {
  if (details.isUpcoming) return 'upcoming';
  if (details.isLive) return 'live';
  const wasLive = details.isPostLiveDvr || details.isLiveContent;
  return wasLive && (ageSeconds === null || isYoung(ageSeconds)) ? 'ended_recently' : 'none';
};

/** Reads `videoDetails` and, if the client gets one, `microformat`. Unknown values are null. */
const readDetails = (raw: { videoDetails: unknown; microformat: unknown }, askedId: string, now: Date) => {
  const result = videoDetails.safeParse(raw.videoDetails);
  const details = result.success ? result.data : videoDetails.parse({});
  const page = raw.microformat === undefined ? null : microformat.safeParse(raw.microformat).data;
  const extra = page?.playerMicroformatRenderer;
  const duration = details.lengthSeconds || null;
  const ageSeconds = readAge(extra?.publishDate, extra?.liveBroadcastDetails, now);
  return {
    /** The video that the answer names; null if it names none. */
    answeredId: details.videoId,
    video: {
      id: askedId,
      title: details.title || null,
      channel_id: details.channelId,
      channel_title: details.author || null,
      published_at: utcDay(extra?.publishDate),
      duration,
      ...readFacts(details, duration),
    } satisfies VideoDetails,
    ageSeconds,
    broadcast: toBroadcast(details, ageSeconds),
  };
};
type ReadDetails = ReturnType<typeof readDetails>;

const errorScreen = bag.transform((screens) => {
  const messages = Object.values(screens)
    .slice(0, bounds.runs)
    .map((screen) => errorMessage.parse(screen));
  return {
    captcha: Object.hasOwn(screens, 'playerCaptchaViewModel'),
    reasons: messages.flatMap((message) => message.reason ?? []),
    subreasons: messages.flatMap((message) => message.subreason ?? []),
  };
});
const errorMessage = z.object({ reason: text, subreason: text }).catch({ reason: null, subreason: null });

/** The start in `playabilityStatus.liveStreamability` of an upcoming broadcast, in Unix seconds (source: public readers of it). */
const offlineSlate = z
  .object({
    liveStreamabilityRenderer: z.object({
      offlineSlate: z.object({
        liveStreamOfflineSlateRenderer: z.object({ scheduledStartTime: z.string().regex(/^\d{1,11}$/) }),
      }),
    }),
  })
  .transform(({ liveStreamabilityRenderer: { offlineSlate: slate } }) =>
    Number(slate.liveStreamOfflineSlateRenderer.scheduledStartTime),
  )
  .nullish()
  .catch(null);

const wire = z.object({
  liveStreamability: offlineSlate,
  status: z.string().min(1).max(bounds.mark),
  reason: text,
  messages: list(bounds.runs),
  errorScreen,
});

/** Null if there is no `playabilityStatus` with a status. */
const readPlayability = (raw: unknown) => {
  const result = wire.safeParse(raw);
  if (!result.success) return null;
  const { status, errorScreen: screen, liveStreamability: startSeconds = null } = result.data;
  const messages = result.data.messages.flatMap((message) => text.parse(message) ?? []);
  const reason = result.data.reason ?? screen.reasons[0] ?? null;
  const subreason = screen.subreasons[0] ?? null;
  const words = [reason, ...screen.reasons, ...screen.subreasons, ...messages].filter((part) => part !== null);
  return {
    status,
    reason,
    subreason,
    captcha: screen.captcha,
    /** The announced start of a broadcast; null if unknown. */
    startsAt: startSeconds === null ? null : new Date(startSeconds * 1_000),
    /** Reason, subreason and messages in one line, with plain apostrophes. */
    words: words.join(' ').replaceAll('\u2019', "'"),
  };
};

type Playability = NonNullable<ReturnType<typeof readPlayability>>;

/** Whole seconds until a broadcast begins, a day at most because its start may change. */
const secondsUntil = (startsAt: Date | null, now: Date): number | null => {
  const seconds = startsAt && Math.ceil((startsAt.getTime() - now.getTime()) / 1_000);
  return seconds !== null && seconds > 0 ? Math.min(seconds, DAY_S) : null;
};

const UNKNOWN_STATUS = { name: 'unknown_status', meaning: meanings.odd };

const refusedPlayability = (playability: Playability, details: ReadDetails, now: Date): Refusal => {
  const startsIn = secondsUntil(playability.startsAt, now);
  const broadcast = startsIn === null ? details.broadcast : 'upcoming';
  const hasDetails = details.answeredId !== null;
  const row = firstMatch(playabilityRows, { ...playability, broadcast, hasDetails }) ?? UNKNOWN_STATUS;
  const isUpcoming = row.meaning === meanings.upcoming;
  return refusal(row.name, row.meaning, {
    reason: playability.reason,
    subreason: playability.subreason,
    retryAfterSeconds: isUpcoming ? startsIn : null,
    video: hasDetails ? details.video : null,
    ageSeconds: details.ageSeconds,
    broadcast: isUpcoming ? 'upcoming' : broadcast,
  });
};

const parsePlayer = (body: string): Record<string, unknown> => {
  const answer = bag.parse(parseAnswer(body));
  // The Shorts call wraps the same answer.
  return Object.hasOwn(answer, 'playerResponse') ? bag.parse(answer.playerResponse) : answer;
};

/**
 * Reads a player answer about `videoId`. A playable video without captions has no tracks.
 * Throws RefusedAnswer with its classification, or another error if the answer cannot be read.
 */
export const readPlayer = (body: string, videoId: string, now: Date) => {
  const answer = parsePlayer(body);
  const playability = readPlayability(answer.playabilityStatus);
  if (playability === null) throw new RefusedAnswer(refusal('no_playability_status', meanings.foreign));
  const details = readDetails(
    { videoDetails: answer.videoDetails, microformat: answer.microformat },
    videoId,
    now,
  );
  const isPlayable = playability.status === 'OK';
  if (details.answeredId !== videoId && (isPlayable || details.answeredId !== null)) {
    throw new RefusedAnswer(refusal('wrong_video', meanings.foreign, { reason: details.answeredId }));
  }
  if (!isPlayable) throw new RefusedAnswer(refusedPlayability(playability, details, now));
  const captions = readCaptions(answer.captions);
  if (!captions.isReadable) {
    throw new RefusedAnswer(broken('unreadable_tracks', { video: details.video }));
  }
  return { video: details.video, broadcast: details.broadcast, ageSeconds: details.ageSeconds, captions };
};
export type PlayerAnswer = ReturnType<typeof readPlayer>;
