import type { VideoDetails } from '@tds/contracts';
import { broken, type Refusal, RefusedAnswer, refusal } from '../classification/refusal.ts';
import { firstMatch, playabilityRows, unknownStatus } from '../classification/rows.ts';
import { verdicts } from '../classification/verdict.ts';
import { parseAnswer } from '../parse-answer.ts';
import type { Broadcast } from '../types.ts';
import { type ReadCaptions, readCaptions } from './captions.ts';
import { readDetails } from './details.ts';
import { type Playability, readPlayability } from './playability.ts';
import { bag } from './tolerant.ts';

export type PlayerAnswer = {
  readonly video: VideoDetails;
  readonly broadcast: Broadcast;
  readonly captions: ReadCaptions;
};

const DAY_S = 86_400;

/** Whole seconds until a broadcast begins, a day at most: its start may be put off or brought forward. */
const secondsUntil = (startsAt: Date | null, now: Date): number | null => {
  const seconds = startsAt && Math.ceil((startsAt.getTime() - now.getTime()) / 1_000);
  return seconds !== null && seconds > 0 ? Math.min(seconds, DAY_S) : null;
};

const refusedPlayability = (playability: Playability, video: VideoDetails, now: Date): Refusal => {
  const row = firstMatch(playabilityRows, playability) ?? unknownStatus;
  const isUpcoming = row.verdict === verdicts.upcoming;
  return refusal(row.name, row.verdict, {
    reason: playability.reason,
    subreason: playability.subreason,
    retryAfterSeconds: isUpcoming ? secondsUntil(playability.startsAt, now) : null,
    video,
  });
};

const parsed = (body: string): Record<string, unknown> => {
  const answer = bag.parse(parseAnswer(body));
  // The Shorts call wraps the same answer.
  return Object.hasOwn(answer, 'playerResponse') ? bag.parse(answer.playerResponse) : answer;
};

/**
 * Reads a player answer about `videoId`. A playable video without captions is an answer with no tracks.
 * Throws RefusedAnswer with its classification; any other error means an answer that cannot be read.
 */
export const readPlayer = (body: string, videoId: string, now: Date): PlayerAnswer => {
  const answer = parsed(body);
  const playability = readPlayability(answer.playabilityStatus);
  if (playability === null) throw new RefusedAnswer(broken('no_playability_status'));
  const details = readDetails(
    { videoDetails: answer.videoDetails, microformat: answer.microformat },
    videoId,
    now,
  );
  const isPlayable = playability.status === 'OK';
  if (details.answeredId !== videoId && (isPlayable || details.answeredId !== null)) {
    throw new RefusedAnswer(broken('wrong_video', { reason: details.answeredId }));
  }
  if (!isPlayable) throw new RefusedAnswer(refusedPlayability(playability, details.video, now));
  const captions = readCaptions(answer.captions);
  if (!captions.isReadable) {
    throw new RefusedAnswer(broken('unreadable_tracks', { video: details.video }));
  }
  return { video: details.video, broadcast: details.broadcast, captions };
};
