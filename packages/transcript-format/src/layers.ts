import type { Cue } from '@tds/contracts';

/** Shorter than any word that is said. */
const MIN_SAID_MS = 100;
/** Fifty characters a second: faster than the fastest speech in any script. */
const MIN_MS_PER_CHARACTER = 20;

/**
 * Normalized cues, with one for each text on screen: authors draw a styled line several times at once, or frame by frame. A text that begins
 * again before it can have been said is such a layer. Later it is a repetition, also if both are still on screen, as recognised speech has
 * them. The merged cue lasts from the first layer to the end of the last.
 */
export const mergeLayers = (cues: readonly Cue[]): Cue[] => {
  const merged: Cue[] = [];
  const latest = new Map<string, { readonly index: number; readonly startMs: number }>();
  for (const cue of cues) {
    const { startMs, durationMs, text } = cue;
    const before = latest.get(text);
    const first = before && merged[before.index];
    const isLayer =
      first && startMs - before.startMs < Math.max(MIN_SAID_MS, text.length * MIN_MS_PER_CHARACTER);
    if (isLayer) {
      const endMs = Math.max(first.startMs + first.durationMs, startMs + durationMs);
      merged[before.index] = { ...first, durationMs: endMs - first.startMs };
    }
    latest.set(text, { index: isLayer ? before.index : merged.length, startMs });
    if (!isLayer) merged.push(cue);
  }
  return merged;
};
