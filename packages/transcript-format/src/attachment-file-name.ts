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

const beyondTags = /[^A-Za-z0-9-]/g;

type NamedFile = { readonly language: string; readonly format: TranscriptFormat };

/** `YYYY-MM-DD - Title.en.clean.txt`: files of one video in several languages and formats lie beside each other. */
export const attachmentFileName = (video: NamedVideo, { language, format }: NamedFile): string => {
  const extension = fileExtensions[format];
  const end = extension === 'txt' ? `${format}.${extension}` : extension;
  return `${fileStem(video)}.${language.replace(beyondTags, '_')}.${end}`;
};
