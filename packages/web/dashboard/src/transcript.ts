import { isolated } from '@tds/contracts/isolated';
import type { Passage, Transcript } from '@transcript-delivery/sdk';
import { type VideoFacts, wishName } from './languages.ts';

export { readingAddress } from '@tds/contracts/reading-address';

/** What a page reads: a video, and the language that is wanted of it. */
export type Wish = { readonly video: string; readonly language: string };

/** The passage that is said at a second; -1 if none is. */
export const passageAt = (passages: readonly Passage[], second: number): number =>
  passages.findLastIndex(({ start }) => Math.floor(start) <= second);

export type ReadableTranscript = Transcript<'json'> & { readonly passages: readonly Passage[] };

const MINUTE = 60;
const HOUR = 3_600;
const two = (value: number): string => String(value).padStart(2, '0');

/** `1:02:03`, `12:05` or `0:07`. */
export const clock = (seconds: number): string => {
  const whole = Math.floor(seconds);
  const [hours, minutes] = [Math.floor(whole / HOUR), Math.floor((whole % HOUR) / MINUTE)];
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole % MINUTE)}`;
};

/** The address of a video, or of a second of it. */
export const watchUrl = (video: string, seconds?: number): string =>
  `https://www.youtube.com/watch?v=${video}${seconds === undefined ? '' : `&t=${Math.floor(seconds)}s`}`;

const countLetters = (text: string): number => text.replaceAll(/\s+/g, '').length;

type Place = { readonly passage: number; readonly offset: number };

const countBefore = (passages: readonly Passage[], { passage, offset }: Place): number =>
  passages.slice(0, passage).reduce((sum, { text }) => sum + countLetters(text), 0) +
  countLetters((passages[passage]?.text ?? '').slice(0, offset));

/** The caption of the letter before which so many stand. */
const findCue = (cues: ReadableTranscript['cues'], before: number) => {
  let left = before;
  return cues.find(({ text }) => {
    left -= countLetters(text);
    return left < 0;
  });
};

/** The end of the caption in which a text ends that begins at a place. */
export const findEnd = (
  passages: readonly Passage[],
  cues: ReadableTranscript['cues'],
  { text, ...place }: Place & { readonly text: string },
): number => {
  const last = findCue(cues, countBefore(passages, place) + Math.max(0, countLetters(text) - 1));
  return last ? last.start + last.duration : 0;
};

/**
 * When the character at `offset` of a passage is said: the start of its caption. Captions and passages have the same letters in the
 * same order, so they are counted from the beginning; the passage bounds the result.
 */
export const findSecond = (
  passages: readonly Passage[],
  cues: ReadableTranscript['cues'],
  place: Place,
): number => {
  const passage = passages[place.passage];
  if (!passage) return 0;
  const cue = findCue(cues, countBefore(passages, place));
  return Math.min(Math.max(cue?.start ?? 0, passage.start), passage.end);
};

type Quote = { readonly text: string; readonly seconds: number };

/** What names the source of a quote, in transcripts and in results of a search. */
type QuotedVideo = Pick<ReadableTranscript['video'], 'id' | 'title' | 'channel_title' | 'published_at'>;

type QuotedText = { readonly video: QuotedVideo; readonly isTranslated: boolean };

/** A quote with its source, as it is pasted into a text. */
export const formatQuote = (
  { video: { id, title, channel_title: channel, published_at: day }, isTranslated }: QuotedText,
  { text, seconds }: Quote,
): string => {
  const facts = [
    title ?? id,
    channel ?? '',
    day ?? '',
    clock(seconds),
    isTranslated ? 'translated by machine' : '',
  ].filter(Boolean);
  const [words = '', ...source] = isolated([text.trim().replaceAll(/\s+/g, ' '), ...facts]);
  return `“${words}” (${source.join(', ')})\n${watchUrl(id, seconds)}`;
};

const known: Partial<Record<VideoFacts['video']['status'], string>> = {
  no_captions: 'When it was last looked at, the video had no captions.',
  unavailable: 'When it was last looked at, the video was private, deleted or otherwise not to be seen.',
};

/** What reading costs if the transcript is not cached. */
export const readingCost = ({ video }: VideoFacts, { language }: Wish): string =>
  [
    known[video.status],
    `The transcript is not cached in ${wishName(language)}. Fetching it costs 1 credit; if that fails, it costs nothing.`,
  ]
    .filter(Boolean)
    .join(' ');

/** The file name of an answer that is a file (RFC 6266). */
export const attachmentName = (disposition: string | null): string => {
  const exact = disposition?.match(/filename\*=UTF-8''([^;]+)/)?.[1];
  const plain = disposition?.match(/filename="([^"]*)"/)?.[1];
  return (exact && decodeURIComponent(exact)) || plain || 'transcript.txt';
};
