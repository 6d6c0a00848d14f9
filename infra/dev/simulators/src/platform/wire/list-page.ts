import type { Video } from '../catalogue/video.ts';
import type { VideoList } from '../catalogue/video-lists.ts';
import { alert, below, clockText, runs, simpleText, thumbnailsOf } from './page-texts.ts';
import { continuationItem } from './page-token.ts';

const WEB_PAGE = 100;

type FindVideo = (id: string) => Video | undefined;

/** What is upcoming or live has none. */
const lengths = ({ lengthSeconds }: Video) =>
  lengthSeconds === 0
    ? {}
    : { lengthText: simpleText(clockText(lengthSeconds)), lengthSeconds: String(lengthSeconds) };

const row = (video: Video, place: number) => ({
  playlistVideoRenderer: {
    videoId: video.id,
    thumbnail: thumbnailsOf(video.id),
    title: runs(video.title),
    index: simpleText(String(place + 1)),
    shortBylineText: runs(video.channel.title),
    ...lengths(video),
    isPlayable: true,
  },
});

const privateRow = (id: string) => ({
  playlistVideoRenderer: { videoId: id, title: runs('[Private video]'), isPlayable: false },
});

/** The rows from a place on, and where the page after begins; a page may be empty in the middle of a list. */
export const takePage = (list: VideoList, from: number, size: number, findVideo: FindVideo) => {
  const end = Math.min(from + size, list.length);
  const places = Array.from({ length: end - from }, (_, index) => from + index);
  const available = places.filter((place) => !list.isUnavailable(place));
  const videos = available.flatMap((place) => {
    const video = findVideo(list.videoIdAt(place));
    return video ? [{ place, video }] : [];
  });
  return { videos, next: end < list.length ? end : undefined };
};

/** The first videos of a list that can be seen. */
export const firstVideos = (list: VideoList, limit: number, findVideo: FindVideo): Video[] => {
  const videos: Video[] = [];
  for (let place = 0; place < list.length && videos.length < limit; place += 1) {
    const video = list.isUnavailable(place) ? undefined : findVideo(list.videoIdAt(place));
    if (video) videos.push(video);
  }
  return videos;
};

/** One page as the web client gets it: of an unavailable video it shows at most that there is one. */
export const listEntries = (list: VideoList, from: number, findVideo: FindVideo): object[] => {
  const { videos, next } = takePage(list, from, WEB_PAGE, findVideo);
  const rows: object[] = videos.map(({ video, place }) => row(video, place));
  if (list.hasNotice && from === 0) rows.splice(1, 0, privateRow('privateRow1'));
  return next === undefined ? rows : [...rows, continuationItem({ kind: 'list', of: list.id, from: next })];
};

const LIST_PLACE = [
  'contents.twoColumnBrowseResultsRenderer.tabs.[].tabRenderer.content.sectionListRenderer',
  'contents.[].itemSectionRenderer.contents.[].playlistVideoListRenderer',
].join('.');

export const firstListPage = (list: VideoList, findVideo: FindVideo) => ({
  ...(list.hasNotice ? { alerts: [alert('INFO', 'Unavailable videos will be hidden during playback')] } : {}),
  ...below(LIST_PLACE, { playlistId: list.id, contents: listEntries(list, 0, findVideo) }),
});

export const continued = (continuationItems: object[]) =>
  below('onResponseReceivedActions.[].appendContinuationItemsAction', { continuationItems });

export const goneList = { alerts: [alert('ERROR', 'The playlist does not exist.')] };
