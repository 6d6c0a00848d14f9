import { PASSAGE } from './highlights.ts';

/** What is no speech: a sound in brackets, notes, and the mark of another speaker. */
const MARK = /(?<sound>\[[^[\]]{1,60}\]|【[^【】]{1,60}】|[♩♪♫♬])|(?<!\S)>>+/gu;
/** Round brackets hold words as well, so they are a sound only where nothing else is said. */
const SOUND_ALONE = /^(?:\([^()]{1,60}\)|（[^（）]{1,60}）|\*[^*]{1,60}\*)$/u;

type Mark = { readonly kind: 'sound' | 'turn'; readonly start: number; readonly end: number };

export const findMarks = (text: string): readonly Mark[] =>
  SOUND_ALONE.test(text)
    ? [{ kind: 'sound', start: 0, end: text.length }]
    : [...text.matchAll(MARK)].map(({ 0: found, index, groups }) => ({
        kind: groups?.sound ? 'sound' : 'turn',
        start: index,
        end: index + found.length,
      }));

/** Paints them without a change of the text, which is searched and copied as it stands. */
export const paintMarks = (article: Element, texts: readonly string[]): void => {
  if (!('highlights' in CSS)) return;
  const painted = { sound: new Highlight(), turn: new Highlight() };
  for (const [index, { firstChild: node }] of article.querySelectorAll(`[${PASSAGE}]`).entries())
    for (const { kind, start, end } of findMarks(texts[index] ?? ''))
      if (node)
        painted[kind].add(
          new StaticRange({ startContainer: node, startOffset: start, endContainer: node, endOffset: end }),
        );
  for (const [kind, highlight] of Object.entries(painted)) CSS.highlights.set(kind, highlight);
};
