const SITE = 'https://www.youtube.com';

/** The page of a video. */
export const videoUrl = (videoId: string): string => `${SITE}/watch?v=${videoId}`;

/** The page of a video, played from a whole second on. */
export const videoMomentUrl = (videoId: string, seconds: number): string =>
  `${videoUrl(videoId)}&t=${seconds}s`;

export const channelUrl = (channelId: string): string => `${SITE}/channel/${channelId}`;
