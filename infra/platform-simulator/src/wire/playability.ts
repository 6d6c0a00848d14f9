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

const refusal = (status: string, reason: string, more: Partial<Playability> = {}): Playability => ({
  ...{ status, reason, hidesDetails: true },
  ...more,
});

export const unavailable = refusal('ERROR', 'This video is unavailable');
/** The apostrophe is U+2019, as the platform writes it. */
export const botCheck = refusal('LOGIN_REQUIRED', 'Sign in to confirm you’re not a bot', {
  subreason: 'This helps protect our community. Learn more',
});
export const captchaScreen = refusal('UNPLAYABLE', 'Video unavailable', { captcha: true });
export const tryAgainLater = refusal('UNPLAYABLE', "This content isn't available, try again later");
export const unknownStatus = refusal('CUSTOM', 'A reason that no client has seen before');
