import type { ErrorClass } from '@tds/errors';
import { type Fact, shortLivedFact } from '../errors/platform-error.ts';

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/** A video is young for a week: what it lacks may still come. */
const YOUNG_S = 7 * DAY_S;

/** A state of a video that ends by itself. What the platform says is believed for a half of the video's age, within these bounds. */
type PassingState = {
  readonly errorClass: ErrorClass;
  readonly message: string;
  /** Also if the age is unknown. */
  readonly leastSeconds: number;
  readonly mostSeconds: number;
};

/** All such states: docs/api-decisions.md has their table. Each is `transcript_not_ready`. */
export const passingStates = {
  upcoming: {
    errorClass: 'Unavailable',
    message: 'The broadcast has not begun yet. Ask again after it.',
    leastSeconds: 10 * MINUTE_S,
    mostSeconds: 10 * MINUTE_S,
  },
  live: {
    errorClass: 'NoCaptions',
    message: 'The video is live and has no captions yet. Ask again after the broadcast.',
    leastSeconds: 5 * MINUTE_S,
    mostSeconds: HOUR_S,
  },
  offline: {
    errorClass: 'Unavailable',
    message: 'The broadcast is offline, and its captions may still come. Ask again later.',
    leastSeconds: 10 * MINUTE_S,
    mostSeconds: DAY_S,
  },
  ended: {
    errorClass: 'Unavailable',
    message: 'The broadcast has ended, and its recording is not published yet. Ask again later.',
    leastSeconds: HOUR_S,
    mostSeconds: DAY_S,
  },
  endedWithoutCaptions: {
    errorClass: 'NoCaptions',
    message: 'The broadcast has ended and has no captions yet. Ask again later.',
    leastSeconds: HOUR_S,
    mostSeconds: DAY_S,
  },
  processing: {
    errorClass: 'Unavailable',
    message: 'The video is still being processed. Ask again later.',
    leastSeconds: 5 * MINUTE_S,
    mostSeconds: DAY_S,
  },
  membersFirst: {
    errorClass: 'Unavailable',
    message: 'The video is for members of the channel first. Ask again when it is public.',
    leastSeconds: HOUR_S,
    mostSeconds: HOUR_S,
  },
  young: {
    errorClass: 'NoCaptions',
    message: 'The video is new and has no captions yet. They often come within hours: ask again later.',
    leastSeconds: 5 * MINUTE_S,
    mostSeconds: DAY_S,
  },
} as const satisfies Record<string, PassingState>;

export const isYoung = (ageSeconds: number | null): boolean => ageSeconds !== null && ageSeconds < YOUNG_S;

/** For how long a state is believed of a video of this age. */
export const believedFor = (
  { leastSeconds, mostSeconds }: Pick<PassingState, 'leastSeconds' | 'mostSeconds'>,
  ageSeconds: number | null,
): Fact => shortLivedFact(Math.round(Math.min(Math.max((ageSeconds ?? 0) / 2, leastSeconds), mostSeconds)));

/** What a video of unknown age lacks is looked for again after a day. */
export const UNKNOWN_AGE_FACT = shortLivedFact(DAY_S);

/** For how long it is believed that a young video lacks something, in seconds; null if it is not young. */
export const lacksForSeconds = (ageSeconds: number | null): number | null => {
  if (!isYoung(ageSeconds)) return null;
  const fact = believedFor(passingStates.young, ageSeconds);
  return fact.kind === 'short_lived' ? fact.ttlSeconds : null;
};
