import type { Chapter } from '@tds/contracts';
import { listSentenceEnds } from './passage-ends.ts';
import type { Section } from './sections.ts';

/** Where a chapter begins in the text of a section. */
export type ChapterStart = { readonly at: number; readonly title: string };

/** A chapter may begin so long before or after its second. */
const MAX_SHIFT_MS = 3_000;
/** Characters on either side; more are not said in that time. */
const MAX_SHIFT = 500;

/** The place of a time in a text, as if the characters of a caption were said evenly. */
const positionAt = ({ pieces }: Section, ms: number): number => {
  const piece = pieces.findLast(({ startMs }) => startMs <= ms);
  if (piece === undefined) return 0;
  const { start, end, startMs, endMs } = piece;
  const share = Math.min(1, (ms - startMs) / Math.max(1, endMs - startMs));
  return start + Math.floor(share * (end - start));
};

/** The nearest end of a sentence, else the best one of a clause, else of the caption before; null at the end. */
const findStart = (section: Section, ms: number, endMs: number): number | null => {
  const { text, pieces, findWordEnd } = section;
  const startMs = pieces[0]?.startMs ?? 0;
  if (ms <= startMs) return 0;
  const at = positionAt(section, ms);
  const range = {
    min: Math.max(0, at - MAX_SHIFT, positionAt(section, ms - MAX_SHIFT_MS)),
    max: Math.min(text.length, at + MAX_SHIFT, positionAt(section, ms + MAX_SHIFT_MS)),
  };
  const ends = listSentenceEnds(text, range);
  if (ms - startMs <= MAX_SHIFT_MS) ends.unshift(0);
  if (endMs - ms <= MAX_SHIFT_MS) ends.push(text.length);
  const nearest = ends.toSorted((one, other) => Math.abs(one - at) - Math.abs(other - at))[0];
  const before = pieces.findLast((piece) => piece.startMs < ms);
  const start = nearest ?? findWordEnd(range) ?? before?.end ?? text.length;
  return start < text.length ? start : null;
};

/**
 * Places chapters, section by section, where a reader expects them: between two sentences that are said within three seconds. Those behind
 * the last words are left out.
 */
export const createChapterPlacer = (sortedChapters: readonly Chapter[]) => {
  let next = 0;
  return (section: Section, following: Section | undefined): ChapterStart[] => {
    const endMs = following?.pieces[0]?.startMs ?? section.pieces.at(-1)?.endMs ?? 0;
    const starts: ChapterStart[] = [];
    for (let chapter = sortedChapters[next]; chapter !== undefined; chapter = sortedChapters[next]) {
      const ms = chapter.start * 1_000;
      const at = ms >= endMs ? null : findStart(section, ms, endMs);
      if (at === null) break;
      starts.push({ at: Math.max(at, starts.at(-1)?.at ?? 0), title: chapter.title });
      next += 1;
    }
    return starts;
  };
};
