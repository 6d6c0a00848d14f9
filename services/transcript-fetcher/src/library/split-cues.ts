import { buildPassages, type PassageTrack } from '@tds/transcript-format';
import type { TrackDeps } from '../tracks/index.ts';
import { type IndexedPassage, toIndexPages } from './domain/index-pages.ts';

/** Runs in threads for large tracks and on the event loop for others. */
const MODULE = new URL('split-cues.ts', import.meta.url);
/** Bytes. Words take twice as long as files. */
const MAX_BYTES_ON_LOOP = 64 * 1_024;

type StoredCues = { readonly cues: Uint8Array; readonly track: PassageTrack };

/** Splits stored cues, inflated, into pages of passages with their words. A page costs some milliseconds when it is taken. */
export const splitOnLoop = ({ cues, track }: StoredCues): Iterable<IndexedPassage[]> => {
  const json = Buffer.from(cues.buffer, cues.byteOffset, cues.byteLength).toString();
  return toIndexPages(buildPassages(JSON.parse(json), track));
};

/** The same in a thread. Texts, because the other side reads all objects of an answer at once. */
export const splitIntoTexts = (input: StoredCues): string[] =>
  Array.from(splitOnLoop(input), (page) => JSON.stringify(page));

export type SplitCues = (input: StoredCues) => Promise<Iterable<IndexedPassage[]>>;

export const createSplitCues =
  ({ runInThread }: Pick<TrackDeps['files'], 'runInThread'>): SplitCues =>
  async (input) => {
    if (input.cues.length <= MAX_BYTES_ON_LOOP) return splitOnLoop(input);
    const pages = await runInThread<string[]>(MODULE, 'splitIntoTexts', input);
    return pages.values().map((page): IndexedPassage[] => JSON.parse(page));
  };
