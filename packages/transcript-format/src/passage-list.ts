import type { Cue } from '@tds/contracts';
import { PASSAGE_CHARACTERS } from '@tds/contracts/passages';
import { videoMomentUrl } from '@tds/platform-addresses/platform-urls';
import { sortChapters, type TranscriptInput } from './cues.ts';
import { mergeLayers } from './layers.ts';
import { type Passage, toPassages } from './passages.ts';
import type { WordedText } from './timed-text.ts';

const MS = 1_000;
const toMs = (seconds: number): number => Math.round(seconds * MS);

/** A passage with its address, in seconds. */
export type ListedPassage = {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly url: string;
  /** The titles of chapters that begin with it. */
  readonly chapters?: readonly string[];
};

export type PassageTrack = {
  /** The tag of the language in which its captions are. */
  readonly language: string;
  readonly video: Pick<TranscriptInput['video'], 'chapters'>;
};

/** The passages of stored cues. */
export const buildPassages = (
  cues: readonly Cue[],
  { language, video }: PassageTrack,
  maxCharacters = PASSAGE_CHARACTERS,
): Passage[] => toPassages(mergeLayers(cues), { chapters: sortChapters(video), language, maxCharacters });

const toCue = ({ start, duration, text, words }: WordedText): Cue => ({
  ...{ startMs: toMs(start), durationMs: toMs(duration), text },
  ...(words && { words: words.map((word) => ({ startMs: toMs(word.start), text: word.text })) }),
});

/** The passages of a file that was rendered as words. */
export const listPassages = (
  file: readonly WordedText[],
  { language, video }: PassageTrack & { readonly video: Pick<TranscriptInput['video'], 'id'> },
  maxCharacters: number,
): ListedPassage[] =>
  buildPassages(file.map(toCue), { language, video }, maxCharacters).map(
    ({ startMs, endMs, text, chapters }) => ({
      start: startMs / MS,
      end: endMs / MS,
      text,
      url: videoMomentUrl(video.id, Math.floor(startMs / MS)),
      ...(chapters.length > 0 && { chapters }),
    }),
  );
