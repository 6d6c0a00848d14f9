import type { Match, Place } from './find-matches.ts';

/** Texts of passages carry their index in this attribute, and have one text node each. */
export const PASSAGE = 'data-passage';

const findTexts = (article: Element): readonly Element[] => [...article.querySelectorAll(`[${PASSAGE}]`)];

const toRange = (texts: readonly Element[], { text, start, end }: Place): StaticRange | undefined => {
  const node = texts[text]?.firstChild;
  return node
    ? new StaticRange({ startContainer: node, startOffset: start, endContainer: node, endOffset: end })
    : undefined;
};

/** What stands between two texts is no part of a match. */
const toRanges = (texts: readonly Element[], { rest = [], ...first }: Match) =>
  [first, ...rest].map((place) => toRange(texts, place));

const paint = (name: string, ranges: readonly (StaticRange | undefined)[]): void => {
  // A browser without highlights still counts, and leads to the passage.
  if ('highlights' in CSS)
    CSS.highlights.set(name, new Highlight(...ranges.filter((range) => range !== undefined)));
};

/** Paints what was found, without a change of the page: typing costs no layout. */
export const paintFound = (article: Element, matches: readonly Match[]): void => {
  const texts = findTexts(article);
  paint(
    'found',
    matches.flatMap((match) => toRanges(texts, match)),
  );
};

/** Paints the match at which the reader is, and shows it. */
export const paintCurrent = (article: Element, match: Match | undefined): void => {
  const texts = findTexts(article);
  paint('current', match ? toRanges(texts, match) : []);
  if (match) texts[match.text]?.scrollIntoView({ block: 'center' });
};

/** What is selected of the passages: its text, and where it begins. Null if nothing is. */
export const selectedIn = (article: Element) => {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  if (!article.contains(range.commonAncestorContainer)) return null;
  const first = findTexts(article).find((text) => range.intersectsNode(text));
  // Times and buttons between the passages are no part of a quote.
  const copy = range.cloneContents();
  const parts = [...copy.querySelectorAll(`[${PASSAGE}]`)].map(({ textContent }) => textContent);
  const text = (parts.length > 0 ? parts.join(' ') : (copy.textContent ?? '')).trim();
  if (!first || text === '') return null;
  const offset = first.contains(range.startContainer) ? range.startOffset : 0;
  return { text, passage: Number(first.getAttribute(PASSAGE)), offset };
};
