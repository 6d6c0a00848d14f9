import type { Cue } from '@tds/contracts';
import { PASSAGE_CHARACTERS } from '@tds/contracts/passages';
import { videoMomentUrl } from '@tds/platform-addresses/platform-urls';
import { sortChapters, type TranscriptInput } from './cues.ts';
import { mergeLayers } from './layers.ts';
import { type Passage, toPassages } from './passages.ts';
import type { TimedText } from './timed-text.ts';

const MS = 1_000;
const toMs = (seconds: number): number => Math.round(seconds * MS);

/** A passage with its address, in seconds. */
export type ListedPassage = {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly url: string;
};

type Chapters = Pick<TranscriptInput['video'], 'chapters'>;

/** The passages of stored cues. */
export const buildPassages = (
  cues: readonly Cue[],
  video: Chapters,
  maxCharacters = PASSAGE_CHARACTERS,
): Passage[] => toPassages(mergeLayers(cues), sortChapters(video), maxCharacters);

/** The passages of a file that was rendered as json. */
export const listPassages = (
  file: string,
  video: Pick<TranscriptInput['video'], 'id' | 'chapters'>,
  maxCharacters: number,
): ListedPassage[] => {
  const cues = (JSON.parse(file) as TimedText[]).map(({ start, duration, text }) => ({
    startMs: toMs(start),
    durationMs: toMs(duration),
    text,
  }));
  return buildPassages(cues, video, maxCharacters).map(({ startMs, endMs, text }) => ({
    start: startMs / MS,
    end: endMs / MS,
    text,
    url: videoMomentUrl(video.id, Math.floor(startMs / MS)),
  }));
};
