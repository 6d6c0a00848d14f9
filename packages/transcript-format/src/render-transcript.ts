import type { Cue, StoredFormat } from '@tds/contracts';
import {
  cleanText,
  normalizeCues,
  singleLine,
  sortChapters,
  type TranscriptInput,
  withoutBidiControls,
  withoutWords,
} from './cues.ts';
import { mergeLayers } from './layers.ts';
import { type Paragraph, renderMarkdown } from './markdown.ts';
import { toPassages } from './passages.ts';
import { firstRenderers } from './renderer-1.ts';
import { renderJson, renderSrt, renderTimestamped, renderVtt, renderWords } from './timed-text.ts';

/** Passages, and before each the titles of chapters that begin with it. */
const toParagraphs = ({ cues, video }: TranscriptInput): Paragraph[] => {
  const chapters = sortChapters(video);
  let next = 0;
  const titlesUntil = (ms: number): Paragraph[] => {
    const from = next;
    while ((chapters[next]?.start ?? Number.POSITIVE_INFINITY) * 1_000 <= ms) next += 1;
    return chapters.slice(from, next).map(({ title }) => ({ title }));
  };
  const paragraphs = toPassages(cues, chapters).flatMap((passage) => [
    ...titlesUntil(passage.startMs),
    passage,
  ]);
  return [...paragraphs, ...titlesUntil(Number.MAX_VALUE)];
};

const lineOf = (paragraph: Paragraph): string =>
  'title' in paragraph ? singleLine(cleanText(withoutBidiControls(paragraph.title))) : paragraph.text;

/** Paragraphs with a blank line between them. */
const renderClean = (input: TranscriptInput): string => toParagraphs(input).map(lineOf).join('\n\n');

const renderBoth = (input: TranscriptInput): string =>
  `TRANSCRIPT\n\n${renderClean(input)}\n\nTRANSCRIPT WITH TIMESTAMPS\n\n${renderTimestamped(input.cues)}`;

const timed =
  (render: (cues: readonly Cue[]) => string) =>
  ({ cues }: TranscriptInput) =>
    render(cues);

const renderers: Readonly<Record<StoredFormat, (input: TranscriptInput) => string>> = {
  json: timed(renderJson),
  words: timed(renderWords),
  clean: renderClean,
  timestamped: timed(renderTimestamped),
  both: renderBoth,
  srt: timed(renderSrt),
  vtt: timed(renderVtt),
  md: (input) => renderMarkdown(input, toParagraphs(input)),
};

/** Makes new files. A file that is lost is made again by its own renderer, so that its bytes stay the same for ever. */
export const CURRENT_RENDERER = 2 as const;
export type Renderer = 1 | typeof CURRENT_RENDERER;

/** The raw file of a format, to be encoded in UTF-8. The same input and renderer give the same string. */
export const renderTranscript = (
  input: TranscriptInput,
  format: StoredFormat,
  renderer: Renderer = CURRENT_RENDERER,
): string => {
  const cues = normalizeCues(format === 'words' ? input.cues : input.cues.map(withoutWords));
  return renderer === 1
    ? { ...renderers, ...firstRenderers }[format]({ ...input, cues })
    : renderers[format]({ ...input, cues: mergeLayers(cues) });
};
