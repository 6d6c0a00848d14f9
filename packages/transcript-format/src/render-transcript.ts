import type { Cue, StoredFormat } from '@tds/contracts';
import {
  cleanText,
  normalizeCues,
  singleLine,
  sortChapters,
  type TranscriptInput,
  withoutBidiControls,
  withoutHiddenMarks,
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

/** The current one makes new files. A file that is lost is made again by its own renderer, so that its bytes stay the same for ever. */
export const RENDERERS = [1, 2, 3] as const;
export type Renderer = (typeof RENDERERS)[number];
export const CURRENT_RENDERER = 3 as const;

/** Titles, and captions in Markdown, without marks that turn what stands beside them. The second renderer left some. */
const withoutMarks = ({ cues, video, language }: TranscriptInput, format: StoredFormat): TranscriptInput => ({
  language,
  video: {
    ...video,
    title: video.title && withoutHiddenMarks(video.title),
    channel_title: video.channel_title && withoutHiddenMarks(video.channel_title),
    chapters: sortChapters(video).map(({ title, ...rest }) => ({
      ...rest,
      title: withoutHiddenMarks(title),
    })),
  },
  cues: format === 'md' ? cues.map((cue) => ({ ...cue, text: withoutHiddenMarks(cue.text) })) : cues,
});

/** The raw file of a format, to be encoded in UTF-8. The same input and renderer give the same string. */
export const renderTranscript = (
  given: TranscriptInput,
  format: StoredFormat,
  renderer: Renderer = CURRENT_RENDERER,
): string => {
  const input = renderer === CURRENT_RENDERER ? withoutMarks(given, format) : given;
  const cues = normalizeCues(format === 'words' ? input.cues : input.cues.map(withoutWords));
  return renderer === 1
    ? { ...renderers, ...firstRenderers }[format]({ ...input, cues })
    : renderers[format]({ ...input, cues: mergeLayers(cues) });
};
