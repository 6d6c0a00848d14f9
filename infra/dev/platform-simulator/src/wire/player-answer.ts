import { hashText } from '../catalogue/random.ts';
import { byClient, type Playability, type Video } from '../catalogue/video.ts';
import { captionList } from './caption-list.ts';
import type { CaptionUrlContext } from './caption-url.ts';
import { type ClientName, clientRow } from './clients.ts';

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

const dayOf = ({ publishedAt }: Video): string => publishedAt.slice(0, '2026-10-31'.length);

/** The `videoDetails` of a player answer. */
const videoDetails = (video: Video) => ({
  videoId: video.id,
  title: video.title,
  lengthSeconds: String(video.lengthSeconds),
  ...(video.tags ? { keywords: video.tags } : {}),
  channelId: video.channel.id,
  isOwnerViewing: false,
  shortDescription: video.description,
  isCrawlable: true,
  thumbnail: thumbnails(video),
  allowRatings: true,
  viewCount: String(video.viewCount),
  author: video.channel.title,
  isPrivate: false,
  isUnpluggedCorpus: false,
  ...liveMarks(video),
});

/** The `microformat` that only the page's client gets: the one place with a publish date. */
const microformat = (video: Video) => ({
  playerMicroformatRenderer: {
    thumbnail: thumbnails(video),
    title: { simpleText: video.title },
    description: { simpleText: video.description },
    lengthSeconds: String(video.lengthSeconds),
    ownerProfileUrl: `http://www.youtube.com/${video.channel.handle}`,
    externalChannelId: video.channel.id,
    isFamilySafe: true,
    isUnlisted: false,
    hasYpcMetadata: false,
    viewCount: String(video.viewCount),
    category: 'Education',
    publishDate: dayOf(video),
    ownerChannelName: video.channel.title,
    uploadDate: dayOf(video),
  },
});

export const visitorData = (salt: string): string =>
  Buffer.from(`simulated visitor ${hashText(salt)}`).toString('base64url');

export const responseContext = (client: ClientName, salt: string) => ({
  visitorData: visitorData(salt),
  serviceTrackingParams: [{ service: 'CSI', params: [{ key: 'c', value: client }] }],
  maxAgeSeconds: 0,
});

const refusalPlayerAnswer = (playability: Playability, client: ClientName, video?: Video) => ({
  responseContext: responseContext(client, playability.status),
  playabilityStatus: playabilityStatus(playability),
  ...(video && !playability.hidesDetails ? { videoDetails: videoDetails(video) } : {}),
});

/** An answer that speaks of the route alone, whatever the video. */
export const refusedAnswer = (playability: Playability, client: ClientName) =>
  refusalPlayerAnswer(playability, client);

/** The answer of the player endpoint about a video, or about an id that names none. */
export const playerAnswer = (video: Video | undefined, context: CaptionUrlContext) => {
  const { client } = context;
  const playability = video ? byClient(video.playability, client) : unavailable;
  if (!video || playability) return refusalPlayerAnswer(playability ?? unavailable, client, video);
  const captions = captionList(video, context);
  return {
    responseContext: responseContext(client, video.id),
    playabilityStatus: playabilityStatus(),
    ...(captions === undefined ? {} : { captions }),
    videoDetails: videoDetails(video),
    ...(clientRow(client).microformat ? { microformat: microformat(video) } : {}),
    trackingParams: 'CAAQu2kiEwjSimulated',
  };
};
