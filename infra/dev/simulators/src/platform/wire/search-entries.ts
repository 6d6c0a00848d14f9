import type { Channel, Playlist } from '../catalogue/channels.ts';
import type { Video } from '../catalogue/video.ts';
import { below, clockText, runs, simpleText, thumbnailsOf } from './page-texts.ts';

const captionBadge = {
  metadataBadgeRenderer: {
    style: 'BADGE_STYLE_TYPE_SIMPLE',
    label: 'CC',
    accessibilityData: { label: 'Closed captions' },
  },
};
const newBadge = { metadataBadgeRenderer: { style: 'BADGE_STYLE_TYPE_SIMPLE', label: 'New' } };

/** A broadcast has neither a length nor a date. */
const timeTexts = (video: Video) =>
  video.liveState === 'live'
    ? { viewCountText: runs(`${video.viewCount} watching`) }
    : {
        publishedTimeText: simpleText('3 years ago'),
        lengthText: simpleText(clockText(video.lengthSeconds)),
        viewCountText: simpleText(`${video.viewCount.toLocaleString('en-US')} views`),
      };

export const videoEntry = (video: Video) => ({
  videoRenderer: {
    videoId: video.id,
    thumbnail: thumbnailsOf(video.id),
    title: runs(video.title),
    longBylineText: runs(video.channel.title),
    ownerText: runs(video.channel.title),
    ...timeTexts(video),
    badges: [newBadge, ...(video.tracks.some(({ kind }) => kind === 'manual') ? [captionBadge] : [])],
  },
});

export const channelEntry = (channel: Channel) => ({
  channelRenderer: {
    channelId: channel.id,
    title: simpleText(channel.title),
    thumbnail: thumbnailsOf('channel'),
    videoCountText: simpleText('1.2K subscribers'),
    subscriberCountText: simpleText(channel.handle),
  },
});

export const playlistEntry = (
  playlist: Playlist,
  owner: string,
  contentType = 'LOCKUP_CONTENT_TYPE_PLAYLIST',
) => ({
  lockupViewModel: {
    contentImage: below('collectionThumbnailViewModel.primaryThumbnail.thumbnailViewModel.image', {
      sources: thumbnailsOf('playlist').thumbnails,
    }),
    metadata: {
      lockupMetadataViewModel: {
        title: { content: playlist.title },
        metadata: below('contentMetadataViewModel.metadataRows.[].metadataParts.[].text', { content: owner }),
      },
    },
    contentId: playlist.id,
    contentType,
  },
});

const shelfToken = below('continuationItemRenderer.continuationEndpoint.continuationCommand', {
  token: 'a-token-of-a-shelf',
});

/** A shelf of recommendations, with videos and a token of its own that no reader may follow. */
export const shelf = (title: string, videos: readonly Video[]) => ({
  shelfRenderer: {
    title: simpleText(title),
    content: below('verticalListRenderer.items', [...videos.map(videoEntry), shelfToken]),
  },
});

export const shortsShelf = (videos: readonly Video[]) => ({
  gridShelfViewModel: {
    contents: videos.map((video) => ({
      shortsLockupViewModel: { entityId: `shorts-shelf-item-${video.id}` },
    })),
  },
});

export const notices = [
  { showingResultsForRenderer: { correctedQuery: runs('what was meant') } },
  { didYouMeanRenderer: { correctedQuery: runs('something else') } },
] as const;

export const noResults = { messageRenderer: { text: runs('No results found') } };
/** What should be a video and has no id. */
export const malformedVideo = { videoRenderer: { title: runs('A video without an id') } };
