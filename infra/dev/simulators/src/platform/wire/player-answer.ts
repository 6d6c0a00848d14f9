import { hashText } from '../catalogue/random.ts';
import { byClient, type Playability, type Video } from '../catalogue/video.ts';
import { captionList } from './caption-list.ts';
import type { CaptionUrlContext } from './caption-url.ts';
import { clientRow } from './clients.ts';

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
const playabilityStatus = (playability?: Playability) => {
  if (!playability) return { status: 'OK' };
  const { status, reason, messages, startsInSeconds } = playability;
  return {
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(messages === undefined ? {} : { messages }),
    errorScreen: errorScreen(playability),
    ...(startsInSeconds === undefined ? {} : liveStreamability(startsInSeconds)),
  };
};

const refusal = (status: string, reason: string, more: Partial<Playability> = {}): Playability => ({
  ...{ status, reason, hidesDetails: true },
  ...more,
});

const unavailable = refusal('ERROR', 'This video is unavailable');
/** The apostrophe is U+2019, as the platform writes it. */
export const botCheck = refusal('LOGIN_REQUIRED', 'Sign in to confirm you’re not a bot', {
  subreason: 'This helps protect our community. Learn more',
});
export const captchaScreen = refusal('UNPLAYABLE', 'Video unavailable', { captcha: true });
export const tryAgainLater = refusal('UNPLAYABLE', "This content isn't available, try again later");
export const unknownStatus = refusal('CUSTOM', 'A reason that no client has seen before');

const thumbnails = (video: Video) => ({
  thumbnails: [{ url: `https://i.ytimg.com/vi/${video.id}/mqdefault.jpg`, width: 320, height: 180 }],
});

const liveMarks = ({ liveState }: Video) => ({
  ...(liveState === 'live' ? { isLive: true } : {}),
  ...(liveState === 'upcoming' ? { isUpcoming: true } : {}),
  isLiveContent: liveState !== undefined,
});

/** The `videoDetails` of a player answer. */
const videoDetails = (video: Video) => ({
  videoId: video.id,
  title: video.title,
  lengthSeconds: String(video.lengthSeconds),
  ...(video.tags ? { keywords: video.tags } : {}),
  channelId: video.channel.id,
  shortDescription: video.description,
  thumbnail: thumbnails(video),
  viewCount: String(video.viewCount),
  author: video.channel.title,
  ...liveMarks(video),
});

/** The `microformat` that only the page's client gets: the one place with a publish date. */
const microformat = ({ publishedAt }: Video) => ({
  playerMicroformatRenderer: { publishDate: publishedAt.slice(0, '2026-10-31'.length) },
});

export const visitorData = (salt: string): string =>
  Buffer.from(`simulated visitor ${hashText(salt)}`).toString('base64url');

export const responseContext = (salt: string) => ({ visitorData: visitorData(salt) });

/** Without a video an answer that speaks of the route alone. */
export const refusedAnswer = (playability: Playability, video?: Video) => ({
  responseContext: responseContext(playability.status),
  playabilityStatus: playabilityStatus(playability),
  ...(video && !playability.hidesDetails ? { videoDetails: videoDetails(video) } : {}),
});

/** The answer of the player endpoint about a video, or about an id that names none. */
export const playerAnswer = (video: Video | undefined, context: CaptionUrlContext) => {
  const { client } = context;
  const playability = video ? byClient(video.playability, client) : unavailable;
  if (!video || playability) return refusedAnswer(playability ?? unavailable, video);
  const captions = captionList(video, context);
  return {
    responseContext: responseContext(video.id),
    playabilityStatus: playabilityStatus(),
    ...(captions === undefined ? {} : { captions }),
    videoDetails: videoDetails(video),
    ...(clientRow(client).microformat ? { microformat: microformat(video) } : {}),
  };
};
