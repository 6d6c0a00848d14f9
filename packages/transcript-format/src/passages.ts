import type { Chapter, Cue } from '@tds/contracts';
import { PASSAGE_CHARACTERS } from '@tds/contracts/passages';
import { textLength } from './caption-text.ts';
import { type ChapterStart, createChapterPlacer } from './chapter-starts.ts';
import { findPassageEnd } from './passage-ends.ts';
import { withoutRolledLines } from './rolling-lines.ts';
import { type Section, toSections } from './sections.ts';

/** Where a caption begins: its position in the text of a passage, and its time. */
export type CaptionStart = readonly [offset: number, startMs: number];

/** Some sentences of running text. */
export type Passage = {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  readonly captions: readonly CaptionStart[];
  /** The titles of chapters that begin with it. */
  readonly chapters: readonly string[];
};

type PassageOptions = {
  readonly chapters: readonly Chapter[];
  /** The tag of the language in which the captions are. */
  readonly language: string;
  readonly maxCharacters?: number;
};

const cutSection = (section: Section, starts: readonly ChapterStart[], maxCharacters: number): Passage[] => {
  const { pieces, findWordEnd } = section;
  const passages: Passage[] = [];
  let [from, first, begun] = [0, 0, 0];
  let chapters: string[] = [];
  while (from < section.text.length) {
    for (let start = starts[begun]; start && start.at <= from; start = starts[begun]) {
      chapters.push(start.title);
      begun += 1;
    }
    const text = section.text.slice(0, starts[begun]?.at);
    let inReach = first;
    while ((pieces[inReach]?.end ?? Number.POSITIVE_INFINITY) <= from + maxCharacters) inReach += 1;
    const captions = pieces.slice(first, inReach);
    const end = findPassageEnd({ text, captions, findWordEnd }, from, maxCharacters);
    let endMs = 0;
    let last = first;
    for (; last < pieces.length; last += 1) {
      endMs = Math.max(endMs, pieces[last]?.endMs ?? 0);
      if ((pieces[last]?.end ?? 0) >= end) break;
    }
    const part = text.slice(from, end).trimStart();
    const content = part.trimEnd();
    if (content !== '') {
      const captionStarts = pieces
        .slice(first, last + 1)
        .map(({ start, startMs }): CaptionStart => [Math.max(0, start - end + part.length), startMs]);
      const startMs = pieces[first]?.startMs ?? 0;
      passages.push({ startMs, endMs, text: content, captions: captionStarts, chapters });
      chapters = [];
    }
    from = end;
    first = (pieces[last]?.end ?? 0) > end ? last : last + 1;
  }
  return passages;
};

/**
 * Joins normalized cues without layers to passages of at most `maxCharacters`, or half of these in a script without spaces. A passage ends with a
 * sentence, or between two clauses if there is no punctuation; a speaker, a chapter and a long silence begin one, and sounds and songs stand
 * alone. It begins with the caption that holds its first word, so it is never later than that word. No word is changed, added or lost but
 * lines that roll, which stand once.
 */
export const toPassages = (
  cues: readonly Cue[],
  { chapters, language, maxCharacters = PASSAGE_CHARACTERS }: PassageOptions,
): Passage[] => {
  const sections = toSections(withoutRolledLines(cues), language);
  const placeChapters = createChapterPlacer(chapters);
  return sections.flatMap((section, index) => {
    const { unit } = textLength(section.text.slice(0, maxCharacters));
    const most = unit === 'Words' ? maxCharacters : Math.floor(maxCharacters / 2);
    return cutSection(section, placeChapters(section, sections[index + 1]), most);
  });
};
