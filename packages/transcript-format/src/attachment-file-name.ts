import type { TranscriptFormat, VideoDetails } from '@tds/contracts';
import { fileExtensions } from './file-types.ts';
import { publishedDay } from './published-day.ts';
import { safeFileTitle } from './safe-file-title.ts';

type NamedVideo = Pick<VideoDetails, 'id' | 'title' | 'published_at'>;

/** `YYYY-MM-DD - Title` where the day is known, else `Title`; the video id stands in for an unknown title. */
export const fileStem = (video: NamedVideo): string => {
  const day = publishedDay(video.published_at);
  const title = safeFileTitle(video.title, video.id);
  return day === null ? title : `${day} - ${title}`;
};

export const attachmentFileName = (video: NamedVideo, format: TranscriptFormat): string =>
  `${fileStem(video)}.${fileExtensions[format]}`;
