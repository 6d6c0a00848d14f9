import { Buffer } from 'node:buffer';
import type { LanguageDelivery, VideoDetails } from '@tds/contracts';
import { videoMomentUrl } from '@tds/platform-addresses/platform-urls';
import {
  buildPassages,
  escapeName,
  markdownFor,
  type Passage,
  readingTime,
  renderTranscript,
  splitMarkdown,
} from '@tds/transcript-format';
import escapeHtml from 'escape-html';

/** Runs in threads for large files, so arguments and results are plain data. */

export type LinkTextRequest = {
  /** A file in the format json. */
  readonly file: Uint8Array;
  readonly language: LanguageDelivery;
  readonly video: VideoDetails;
  /** The seconds of a quote; null: the whole transcript. */
  readonly quote: { readonly start: number; readonly end: number } | null;
  readonly form: 'html' | 'markdown';
  /** Of the account that hands it on; in Markdown only. */
  readonly accountName: string | null;
};

/** The anchor of the quote. */
const QUOTE = 'quote';
const MS = 1_000;
/** Of a sentence in a preview. */
const MAX_SENTENCE_LENGTH = 200;

type FileCue = { readonly start: number; readonly duration: number; readonly text: string };
type Marked = { readonly passage: Passage; readonly from: number; readonly to: number };
type QuoteMs = { readonly startMs: number; readonly endMs: number };

const unmarked = (passage: Passage): Marked => ({ passage, from: 0, to: 0 });

/** The part of a passage whose captions are between the two moments. */
const mark = (passage: Passage, { startMs, endMs }: QuoteMs): Marked => {
  if (passage.startMs >= endMs || passage.endMs <= startMs) return unmarked(passage);
  const from = passage.captions.findLast(([, at]) => at <= startMs)?.[0] ?? 0;
  const next = passage.captions.find(([, at]) => at >= endMs)?.[0];
  return { passage, from, to: from + passage.text.slice(from, next).trimEnd().length };
};

/** A quote of a moment at which nobody speaks is the passage before it. */
const markAll = (passages: readonly Passage[], quote: LinkTextRequest['quote']): readonly Marked[] => {
  if (quote === null) return passages.map(unmarked);
  const ms = { startMs: Math.round(quote.start * MS), endMs: Math.round(quote.end * MS) };
  const marked = passages.map((passage) => mark(passage, ms));
  if (marked.some(({ from, to }) => from < to)) return marked;
  const nearest = Math.max(
    0,
    passages.findLastIndex(({ startMs }) => startMs <= ms.startMs),
  );
  return passages.map((passage, index) =>
    index === nearest ? { passage, from: 0, to: passage.text.length } : unmarked(passage),
  );
};

const textHtml = ({ passage: { text }, from, to }: Marked, isFirst: boolean): string => {
  if (from >= to) return escapeHtml(text);
  const id = isFirst ? ` id="${QUOTE}"` : '';
  const [before, quoted, after] = [text.slice(0, from), text.slice(from, to), text.slice(to)];
  return `${escapeHtml(before)}<mark${id}>${escapeHtml(quoted)}</mark>${escapeHtml(after)}`;
};

/** Passages with times that lead to their second of the video, and chapters before them. */
const toHtml = (marked: readonly Marked[], videoId: string): string => {
  const first = marked.findIndex(({ from, to }) => from < to);
  return marked
    .map((one, index) => {
      const { startMs, chapters } = one.passage;
      const seconds = Math.floor(startMs / MS);
      const titles = chapters.map((title) => `<h2 dir="auto">${escapeHtml(title)}</h2>\n`).join('');
      return `${titles}<div class="passage"><a href="${videoMomentUrl(videoId, seconds)}">${readingTime(seconds)}</a><p dir="auto">${textHtml(one, index === first)}</p></div>`;
    })
    .join('\n');
};

/** At most so many characters, of whole words if it has any, with an ellipsis in the place of the rest. Spaces are single ones. */
const shorten = (text: string): string => {
  if (text.length <= MAX_SENTENCE_LENGTH) return text;
  const end = text.lastIndexOf(' ', MAX_SENTENCE_LENGTH);
  return `${text.slice(0, end > 0 ? end : MAX_SENTENCE_LENGTH)}…`.toWellFormed();
};

const quotedText = (marked: readonly Marked[]): string =>
  marked
    .map(({ passage, from, to }) => passage.text.slice(from, to).trim())
    .filter(Boolean)
    .join(' ')
    .replaceAll(/\s+/g, ' ');

type Cues = Parameters<typeof renderTranscript>[0]['cues'];

/** The file in Markdown, with the quote and who hands it on below its heading. */
const toMarkdown = (
  { language, video, quote, accountName }: LinkTextRequest,
  cues: Cues,
  quoted: string,
): string => {
  const file = markdownFor(renderTranscript({ cues, video, language }, 'md'), language);
  const { heading } = splitMarkdown(file);
  const seconds = Math.floor(quote?.start ?? 0);
  const lines = [
    ...(quoted
      ? [`> ${escapeName(quoted)} ([${readingTime(seconds)}](${videoMomentUrl(video.id, seconds)}))`]
      : []),
    ...(accountName === null ? [] : [`Handed on by ${escapeName(accountName)}`]),
  ];
  return [heading, ...lines].join('\n\n') + file.slice(heading.length);
};

export type LinkText = {
  /** HTML, or the file in Markdown. */
  readonly text: string;
  /** Of the quote, else the first ones. */
  readonly sentence: string;
  /** Whether the sentence is a quote. */
  readonly isQuote: boolean;
};

/** The text of a link, as JSON. */
export const writeLinkText = (request: LinkTextRequest): Uint8Array => {
  const { file, language, video, quote, form } = request;
  const source: FileCue[] = JSON.parse(Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString());
  const cues = source.map(({ start, duration, text }) => ({
    startMs: Math.round(start * MS),
    durationMs: Math.round(duration * MS),
    text,
  }));
  const marked = markAll(buildPassages(cues, { language: language.delivered, video }), quote);
  const quoted = quotedText(marked);
  const sentence = shorten(quoted || (marked[0]?.passage.text ?? '').replaceAll(/\s+/g, ' '));
  const text = form === 'html' ? toHtml(marked, video.id) : toMarkdown(request, cues, quoted);
  const result: LinkText = { text, sentence, isQuote: quoted !== '' };
  return Buffer.from(JSON.stringify(result));
};
