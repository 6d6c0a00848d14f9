import { asCaptions } from '@tds/transcript-format/testing';
import { splitOnLoop } from '../library/split-cues.ts';

/** Splits captions with this text into passages with their words, as an index does. */
const index = (text: string): number => {
  const cues = Buffer.from(JSON.stringify(asCaptions(text)));
  return Array.from(splitOnLoop({ cues, track: { language: 'en', video: { chapters: [] } } })).length;
};

export const works = { index };
