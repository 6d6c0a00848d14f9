import type { Cue } from '@tds/contracts';
import { countWords } from '@tds/transcript-format';

/** What a track is measured by when it is fetched, by the columns of `transcripts` and the names of a delivered row. */
export const measureText = (cues: readonly Cue[]) => ({ words: countWords(cues) });
export type TextMeasures = ReturnType<typeof measureText>;
