import type { Cue } from '@tds/contracts';
import { broken, RefusedAnswer, refusal } from '../classification/refusal.ts';
import { verdicts } from '../classification/verdict.ts';
import { bounds } from '../config/bounds.ts';
import { captionText } from '../plain-text.ts';

/** A caption as a format's reader found it. */
export type RawCue = { readonly startMs: number; readonly durationMs: number | null; readonly text: string };
export type RawCaptions = { readonly cues: readonly RawCue[]; readonly omitted: number };

/** With a larger share of unreadable events the captions are refused: a transcript would lack text without saying so. */
const MOST_OMITTED = 0.1;

/**
 * Cues in order of time. Texts that are blank without their padding go, whatever the event's flags; a missing duration
 * lasts until the next cue. Throws RefusedAnswer if nothing or too little is left.
 */
export const finishCues = ({ cues, omitted }: RawCaptions): readonly Cue[] => {
  if (omitted > MOST_OMITTED * (cues.length + omitted)) throw new RefusedAnswer(broken('damaged_captions'));
  if (cues.length > bounds.cues) throw new RefusedAnswer(refusal('too_many_cues', verdicts.odd));
  const kept = cues
    .map((cue) => ({ ...cue, text: captionText(cue.text) }))
    .filter((cue) => cue.text !== '')
    .sort((one, other) => one.startMs - other.startMs);
  // Well-formed captions without a word: nothing to deliver, and no strategy's fault.
  if (kept.length === 0) throw new RefusedAnswer(refusal('captions_without_text', verdicts.odd));
  return kept.map((cue, position) => ({
    startMs: cue.startMs,
    durationMs: cue.durationMs ?? Math.max(0, (kept[position + 1]?.startMs ?? cue.startMs) - cue.startMs),
    text: cue.text,
  }));
};
