import { Buffer } from 'node:buffer';
import type { VideoDetails } from '@tds/contracts';
import { listPassages } from '@tds/transcript-format';

/** Runs in threads for large files, so arguments and results are plain data. */

export type PassageRequest = {
  /** A file in the format json. */
  readonly file: Uint8Array;
  readonly video: Pick<VideoDetails, 'id' | 'chapters'>;
  readonly maxCharacters: number;
};

/** The passages of a file as JSON. */
export const writePassages = ({ file, video, maxCharacters }: PassageRequest): Uint8Array => {
  const text = Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString();
  return Buffer.from(JSON.stringify(listPassages(text, video, maxCharacters)));
};
