import type { Video } from '../catalogue/video.ts';

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
export const videoDetails = (video: Video) => ({
  videoId: video.id,
  title: video.title,
  lengthSeconds: String(video.lengthSeconds),
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
export const microformat = (video: Video) => ({
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
