const SITE = 'https://www.youtube.com';
/** As people write it. */
export const PLATFORM_NAME = 'YouTube';

/** The page of a video. */
export const videoUrl = (videoId: string): string => `${SITE}/watch?v=${videoId}`;

/** The page of a video, played from a whole second on. */
export const videoMomentUrl = (videoId: string, seconds: number): string =>
  `${videoUrl(videoId)}&t=${seconds}s`;

/** Its site answers from hosts of one domain; the player is also at one that knows no reader (no cookies before play). */
const REAL_HOST = /(?:^|\.)youtube\.com$/;
const PRIVATE_PLAYER = 'https://www.youtube-nocookie.com';

/** Where the player of a platform is: beside a simulator, its own. */
export const playerOrigin = (platformOrigin: string): string => {
  const { hostname, origin } = new URL(platformOrigin);
  return REAL_HOST.test(hostname) ? PRIVATE_PLAYER : origin;
};

export const channelUrl = (channelId: string): string => `${SITE}/channel/${channelId}`;

/** By which the ids of the platform's lists of a channel's long videos, Shorts and broadcasts begin, in place of `UC`; `UU` is all. */
export const CHANNEL_LISTS = { videos: 'UULF', shorts: 'UUSH', streams: 'UULV' } as const;
