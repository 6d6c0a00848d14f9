import type { Cue } from '@tds/contracts';
import { captionText } from '../reading/index.ts';

/** How an author draws a caption: the pen and the length of each part, and its window. */
export type CueStyle = { readonly pens: string; readonly window: string };
export type StyledCue = Cue & { readonly style?: CueStyle | undefined };
type Part = { readonly utf8?: string; readonly pPenId?: unknown };

const nameOf = (id: unknown): string => (typeof id === 'object' ? '' : String(id));

/** From the parts of a caption, its own pen and its window; undefined for a plain caption. Parts without visible text are padding. */
export const readStyle = (parts: readonly Part[], ownPen: unknown, window: unknown): CueStyle | undefined => {
  if (ownPen === undefined && parts.every(({ pPenId }) => pPenId === undefined)) return undefined;
  const pens = parts.map(({ utf8 = '', pPenId = ownPen }) =>
    captionText(utf8) === '' ? '' : `${nameOf(pPenId)}:${utf8.length} `,
  );
  return { pens: pens.join(''), window: nameOf(window) };
};

/** The longest gap between frames of one drawing. */
const MAX_GAP_MS = 40;
/** What is shown for less has not been read. */
const MAX_UNREAD_MS = 500;
/** Drawings that change at the same time. */
const MAX_LAYERS = 8;

const endOf = ({ startMs, durationMs }: Cue): number => startMs + durationMs;
const follows = (cue: Cue, before: Cue): boolean => {
  const gapMs = cue.startMs - endOf(before);
  return gapMs >= 0 && gapMs <= MAX_GAP_MS;
};
const byStart = (one: Cue, other: Cue): number => one.startMs - other.startMs;

/** A text that follows itself without a gap. It is drawn if its pens change, otherwise said again. */
type Run = {
  readonly first: StyledCue;
  readonly frames: StyledCue[];
  readonly pens: Set<string>;
  isDrawn: boolean;
};

const toRuns = (cues: readonly StyledCue[]): Run[] => {
  const runs: Run[] = [];
  const latest = new Map<string, Run>();
  for (const cue of cues) {
    const pens = cue.style?.pens ?? '';
    let run = latest.get(cue.text);
    const frames = run?.frames.slice(-MAX_LAYERS) ?? [];
    if (!run || !frames.some((frame) => frame.startMs === cue.startMs || follows(cue, frame))) {
      run = { first: cue, frames: [], pens: new Set(), isDrawn: false };
      runs.push(run);
      latest.set(cue.text, run);
    }
    run.frames.push(cue);
    if (cue.startMs === run.first.startMs) run.pens.add(pens);
    run.isDrawn ||= !run.pens.has(pens);
  }
  return runs;
};

const mergeRun = ({ first, frames, isDrawn }: Run): readonly StyledCue[] => {
  if (!isDrawn) return frames;
  const endMs = frames.reduce((latest, frame) => Math.max(latest, endOf(frame)), 0);
  return [{ ...first, durationMs: endMs - first.startMs }];
};

/** Replaces a text by the longer one that grows out of it in the same window. */
const mergeGrowing = (cues: readonly StyledCue[]): StyledCue[] => {
  const merged: StyledCue[] = [];
  const grown = new Set<StyledCue>();
  for (const cue of cues) {
    const growsFrom = (before: StyledCue) =>
      before.style !== undefined &&
      before.style.window === cue.style?.window &&
      follows(cue, before) &&
      cue.text.length > before.text.length &&
      cue.text.startsWith(before.text) &&
      (before.durationMs < MAX_UNREAD_MS || grown.has(before));
    const before = merged.slice(-MAX_LAYERS).find(growsFrom);
    if (before) merged.splice(merged.lastIndexOf(before), 1);
    const next = before ? { ...cue, startMs: before.startMs, durationMs: endOf(cue) - before.startMs } : cue;
    if (before) grown.add(next);
    merged.push(next);
  }
  return merged.sort(byStart);
};

/** Cues in order of time, with what an author draws frame by frame, letter by letter or in changing colours as one. Plain cues stay as they are. */
export const mergeFrames = (cues: readonly StyledCue[]): readonly Cue[] =>
  cues.every(({ style }) => style === undefined)
    ? cues
    : mergeGrowing(toRuns(cues).flatMap(mergeRun).sort(byStart)).map(({ style: _, ...cue }) => cue);
