import type { StoredFormat } from '@tds/contracts';
import {
  cleanText,
  normalizeCues,
  singleLine,
  sortChapters,
  type TranscriptInput,
  type WordTiming,
  withoutBidiControls,
  withoutHiddenMarks,
} from './cues.ts';
import { mergeLayers } from './layers.ts';
import { type Paragraph, renderMarkdown } from './markdown.ts';
import { toPassages } from './passages.ts';
import { renderJson, renderSrt, renderTimestamped, renderVtt, renderWords } from './timed-text.ts';

/** Passages, and before each the titles of chapters that begin with it. */
const toParagraphs = ({ cues, video, language }: TranscriptInput): Paragraph[] =>
  toPassages(cues, { chapters: sortChapters(video), language: language.delivered }).flatMap((passage) => [
    ...passage.chapters.map((title) => ({ title })),
    passage,
  ]);

const lineOf = (paragraph: Paragraph): string =>
  'title' in paragraph ? singleLine(cleanText(withoutBidiControls(paragraph.title))) : paragraph.text;

/** Paragraphs with a blank line between them. */
const renderClean = (input: TranscriptInput): string => toParagraphs(input).map(lineOf).join('\n\n');

const renderBoth = (input: TranscriptInput): string =>
  `TRANSCRIPT\n\n${renderClean(input)}\n\nTRANSCRIPT WITH TIMESTAMPS\n\n${renderTimestamped(input.cues)}`;

const renderers: Readonly<Record<StoredFormat, (input: TranscriptInput) => string>> = {
  json: ({ cues }) => renderJson(cues),
  words: ({ cues }) => renderWords(cues),
  clean: renderClean,
  timestamped: ({ cues }) => renderTimestamped(cues),
  both: renderBoth,
  srt: ({ cues }) => renderSrt(cues),
  vtt: ({ cues }) => renderVtt(cues),
  md: (input) => renderMarkdown(input, toParagraphs(input)),
};

/** Names what makes files of a format. Other bytes need another number, so that files keep their bytes for ever. */
export const RENDERERS: Readonly<Record<StoredFormat, number>> = {
  ...{ json: 1, words: 1, timestamped: 1, vtt: 2, srt: 3, clean: 5, both: 5, md: 6 },
};

/** Titles, and captions in Markdown, without marks that turn what stands beside them. */
const withoutMarks = ({ cues, video, language }: TranscriptInput, format: StoredFormat): TranscriptInput => ({
  language,
  video: {
    ...video,
    title: video.title && withoutHiddenMarks(video.title),
    channel_title: video.channel_title && withoutHiddenMarks(video.channel_title),
    chapters: sortChapters(video).map(({ title, ...chapter }) => ({
      ...chapter,
      title: withoutHiddenMarks(title),
    })),
  },
  cues: format === 'md' ? cues.map((cue) => ({ ...cue, text: withoutHiddenMarks(cue.text) })) : cues,
});

/** Passages only look at the pauses of words. */
const timing: Partial<Record<StoredFormat, WordTiming>> = {
  words: 'exact',
  clean: 'raw',
  both: 'raw',
  md: 'raw',
};

/** The raw file of a format, to be encoded in UTF-8. The same input gives the same string. */
export const renderTranscript = (source: TranscriptInput, format: StoredFormat): string => {
  const input = withoutMarks(source, format);
  const cues = normalizeCues(input.cues, timing[format] ?? 'none');
  return renderers[format]({ ...input, cues: mergeLayers(cues) });
};
