import { type VideoDetails, videoBounds } from '@tds/contracts';
import { z } from 'zod';
import { cutTo, inside, listInside, paragraphs, plainLine, reading } from '../reading/index.ts';
import { readChapters } from './read-chapters.ts';

const DIGITS = /^\d{1,15}$/;
/** A whole number, as such or as text; null for anything else. */
export const count = reading((value) => {
  const number = typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && Number(number) >= 0 ? Number(number) : null;
});

const description = reading((value) =>
  typeof value === 'string' ? paragraphs(cutTo(value, videoBounds.description)) : null,
);

const tags = reading((value) => {
  if (!Array.isArray(value)) return null;
  const texts = value.slice(0, videoBounds.tags).filter((tag) => typeof tag === 'string');
  return texts.map((tag) => plainLine(tag, videoBounds.tag)).filter((tag) => tag !== '');
});

const IMAGE_HOST = /(?:^|\.)ytimg\.com$/;

/** The address of a picture at the platform; null for any other address. */
const imageAddress = (value: unknown): string | null => {
  if (typeof value !== 'string' || value.length > videoBounds.address) return null;
  const url = URL.parse(value, 'https://i.ytimg.com');
  const isOfPlatform = url?.protocol === 'https:' && url.port === '' && IMAGE_HOST.test(url.hostname);
  return isOfPlatform && url.href.length <= videoBounds.address ? url.href : null;
};

/** The widest of the pictures. */
const thumbnail = reading((value) => {
  const pictures = listInside(value, ['thumbnails']).map((picture) => ({
    address: imageAddress(inside(picture, 'url')),
    width: count.parse(inside(picture, 'width')) ?? 0,
  }));
  return (
    pictures.toSorted((one, other) => other.width - one.width).find(({ address }) => address)?.address ?? null
  );
});

/** Fields of the wire's `videoDetails`. Most clients have them all; none has them after some refusals. */
export const wireFacts = z.object({
  shortDescription: description,
  keywords: tags,
  viewCount: count,
  thumbnail,
});

/** The facts of a video beside its name and date. `duration` in seconds bounds its chapters. */
export const readFacts = (
  { shortDescription, keywords, viewCount, thumbnail: thumbnail_url }: z.infer<typeof wireFacts>,
  duration: number | null,
): Pick<VideoDetails, 'description' | 'tags' | 'view_count' | 'thumbnail_url' | 'chapters'> => ({
  description: shortDescription,
  tags: keywords,
  view_count: viewCount,
  thumbnail_url,
  chapters: shortDescription === null ? null : readChapters(shortDescription, duration),
});
