import { Buffer } from 'node:buffer';
import type { VideoDetails } from '@tds/contracts';
import { listPassages, type WordedText } from '@tds/transcript-format';

/** Runs in threads for large files, so arguments and results are plain data. */

export type PassageRequest = {
  /** A file in the format words; one in the format json has no times of words. */
  readonly file: Uint8Array;
  /** The tag of the delivered language. */
  readonly language: string;
  readonly video: Pick<VideoDetails, 'id' | 'chapters'>;
  readonly maxCharacters: number;
  /** Whether the cues keep their words. */
  readonly words: boolean;
};

/** The cues and the passages of a file, as two members of a JSON object. */
export const writePassages = ({ file, maxCharacters, words, ...track }: PassageRequest): Uint8Array => {
  const text = Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString();
  const entries: WordedText[] = JSON.parse(text);
  const cues = words ? text : JSON.stringify(entries.map(({ words: _, ...cue }) => cue));
  const passages = JSON.stringify(listPassages(entries, track, maxCharacters));
  return Buffer.from(`"cues":${cues},"passages":${passages}`);
};
