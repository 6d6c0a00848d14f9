import type { Playability } from '../catalogue/video.ts';

const textRuns = (text: string) => ({ runs: [{ text }] });

const errorScreen = ({ reason, subreason, captcha }: Playability) => {
  if (captcha) return { playerCaptchaViewModel: {} };
  return {
    playerErrorMessageRenderer: {
      ...(subreason === undefined ? {} : { subreason: textRuns(subreason) }),
      ...(reason === undefined ? {} : { reason: textRuns(reason) }),
      icon: { iconType: 'ERROR_OUTLINE' },
    },
  };
};

const liveStreamability = (startsInSeconds: number) => {
  const scheduledStartTime = String(Math.round(Date.now() / 1_000) + startsInSeconds);
  const slate = { liveStreamOfflineSlateRenderer: { scheduledStartTime } };
  return { liveStreamability: { liveStreamabilityRenderer: { offlineSlate: slate } } };
};

/** A `playabilityStatus`; without a reason to refuse, OK. */
export const playabilityStatus = (playability?: Playability) => {
  if (!playability) return { status: 'OK', playableInEmbed: true, contextParams: 'Q0FFU0FnZ0M=' };
  const { status, reason, messages, startsInSeconds } = playability;
  return {
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(messages === undefined ? {} : { messages }),
    errorScreen: errorScreen(playability),
    ...(startsInSeconds === undefined ? {} : liveStreamability(startsInSeconds)),
    contextParams: 'Q0FBU0FnZ0E=',
  };
};

export const unavailable: Playability = {
  status: 'ERROR',
  reason: 'This video is unavailable',
  hidesDetails: true,
};

/** The apostrophe is U+2019, as the platform writes it. */
export const botCheck: Playability = {
  status: 'LOGIN_REQUIRED',
  reason: 'Sign in to confirm you’re not a bot',
  subreason: 'This helps protect our community. Learn more',
  hidesDetails: true,
};

export const captchaScreen: Playability = {
  status: 'UNPLAYABLE',
  reason: 'Video unavailable',
  captcha: true,
  hidesDetails: true,
};

export const tryAgainLater: Playability = {
  status: 'UNPLAYABLE',
  reason: "This content isn't available, try again later",
  hidesDetails: true,
};

export const unknownStatus: Playability = {
  status: 'CUSTOM',
  reason: 'A reason that no client has seen before',
  hidesDetails: true,
};
