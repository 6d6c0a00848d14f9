import { Buffer } from 'node:buffer';
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import { videoUrl } from '@tds/platform-addresses';
import {
  countTokens,
  escapeHeading,
  escapeName,
  type NotedVideo,
  publishedDay,
  readableLine,
  readingTime,
  splitMarkdown,
  videoTitle,
} from '@tds/transcript-format';
import type { ZipEntry } from './zip.ts';

const deflate = promisify(deflateRaw);

export type DocumentFormat = 'md' | 'clean';

/** A video, and whether its text is a translation by the platform. */
export type DocumentVideo = NotedVideo & { readonly isTranslated: boolean };

/** A transcript of a document: its number in the job, from 1 on. */
type Heading = {
  readonly number: number;
  readonly title: string;
  readonly video: DocumentVideo;
  /** Of a transcript in several pieces: the piece, from 1 on. */
  readonly part?: number;
};

type Style = {
  readonly extension: string;
  escapeText(text: string): string;
  head(title: string): string;
  /** A line of the table of contents. */
  item(heading: Heading): string;
  /** What stands between the heading and the text in a file, and the text. */
  split(file: string): { readonly facts: string; readonly body: string };
  section(heading: Heading, facts: string, body: string): string;
};

const listFacts = ({ channel_title, published_at, duration, isTranslated }: DocumentVideo): string[] => [
  ...(channel_title === null ? [] : [readableLine(channel_title)]),
  ...[publishedDay(published_at) ?? [], duration === null ? [] : readingTime(duration)].flat(),
  ...(isTranslated ? ['translated by machine'] : []),
];

/** A heading whose anchor all readers of Markdown make alike: a title has signs and letters that each treats in its own way. */
const toName = ({ number, part }: Heading): string =>
  `Transcript ${[number, ...(part ? [part] : [])].join('-')}`;
const toAnchor = (heading: Heading): string => toName(heading).toLowerCase().replace(' ', '-');

/** Some readers end a link at a bracket although it is escaped. */
const linkText = (title: string): string =>
  escapeName(title).replaceAll(String.raw`\[`, '&#91;').replaceAll(']', '&#93;');

/** What would begin a list or a quote at the start of a line. */
const lineOpening = /^[-+>]|(?<=^\d{1,9})[.)]/;

const markdown: Style = {
  extension: 'md',
  escapeText: (text) => escapeName(text).replace(lineOpening, String.raw`\$&`),
  head: (title) => `# ${escapeHeading(title)}\n\n## Contents\n\n`,
  item: (heading) => {
    const link = `[${linkText(heading.title)}](#${toAnchor(heading)})`;
    return `${heading.number}. ${[link, ...listFacts(heading.video).map(escapeName)].join(', ')}\n`;
  },
  split: splitMarkdown,
  section: (heading, facts, body) =>
    `\n## ${toName(heading)}\n\n**${escapeName(heading.title)}**\n\n${facts}\n\n${body}\n`,
};

const RULE = '='.repeat(72);

const plain: Style = {
  extension: 'txt',
  escapeText: (text) => text,
  head: (title) => `${readableLine(title)}\n\nContents\n\n`,
  item: ({ number, title, video }) => `${[`${number}. ${title}`, ...listFacts(video)].join(', ')}\n`,
  split: (body) => ({ facts: '', body }),
  section: ({ number, title, video }, _facts, body) =>
    `\n${[RULE, `${number}. ${title}`, videoUrl(video.id), listFacts(video).join(', ')].join('\n')}\n\n${body}\n`,
};

const styles: Readonly<Record<DocumentFormat, Style>> = { md: markdown, clean: plain };

/** A delivered file of a job. */
type DocumentText = { readonly video: DocumentVideo; readonly file: string };

/** A video of the job without a transcript. */
type MissingText = { readonly video: NotedVideo; readonly reason: string };

export type DocumentOptions = {
  readonly title: string;
  readonly format: DocumentFormat;
  readonly texts: AsyncIterable<DocumentText>;
  readonly missing: readonly MissingText[];
  /** Entries of the source that could not be read. */
  readonly omitted?: number | undefined;
};

export const omittedText = (omitted: number): string =>
  `${omitted} ${omitted === 1 ? 'entry' : 'entries'} of the source could not be read: videos may be missing.`;

/** What a document lacks; empty if that is nothing. */
const missingText = ({ escapeText }: Style, { missing, omitted = 0 }: DocumentOptions): string =>
  [
    ...(missing.length > 0 ? ['\nWithout a transcript:\n'] : []),
    ...missing.map(({ video, reason }) => `- ${escapeText(`${videoTitle(video)} (${video.id}): ${reason}`)}`),
    ...(omitted > 0 ? [`\n${omittedText(omitted)}`] : []),
  ].join('\n');

const toHeading = (video: DocumentVideo, index: number): Heading => ({
  ...{ number: index + 1, title: videoTitle(video), video },
});

/** All transcripts in one text, each read when those before it are written, and what is missing. `videos` are those of the texts. */
export async function* documentText(
  options: DocumentOptions,
  videos: readonly DocumentVideo[],
): AsyncGenerator<Buffer> {
  const { title, format, texts } = options;
  const style = styles[format];
  yield Buffer.from(
    style.head(title) + videos.map((video, index) => style.item(toHeading(video, index))).join(''),
  );
  const missing = missingText(style, options);
  if (missing !== '') yield Buffer.from(`${missing}\n`);
  let index = 0;
  for await (const { video, file } of texts) {
    const { facts, body } = style.split(file);
    yield Buffer.from(style.section(toHeading(video, index), facts, body));
    index += 1;
  }
}

/** A longer word counts once for each of these, so that words bound the memory of a part. */
const MAX_WORD_BYTES = 32;

const measure = (text: string): number =>
  Math.max(countTokens(text), Math.ceil(Buffer.byteLength(text) / MAX_WORD_BYTES));

type Section = { readonly item: string; readonly text: string; readonly words: number };

/** Paragraphs together, as many as `maxWords` allow. A paragraph is never cut. */
const toPieces = (body: string, maxWords: number): string[] => {
  const pieces: string[][] = [[]];
  let words = 0;
  for (const paragraph of body.split('\n\n')) {
    const more = measure(paragraph);
    if (words > 0 && words + more > maxWords) {
      pieces.push([]);
      words = 0;
    }
    pieces.at(-1)?.push(paragraph);
    words += more;
  }
  return pieces.map((paragraphs) => paragraphs.join('\n\n'));
};

/** The sections of a transcript: more than one only if it is longer than a part. */
const toSections = (style: Style, whole: Heading, file: string, maxWords: number): Section[] => {
  const { facts, body } = style.split(file);
  const toSection = (heading: Heading, piece: string): Section => {
    const [item, text] = [style.item(heading), style.section(heading, facts, piece)];
    return { item, text, words: measure(item) + measure(text) };
  };
  const section = toSection(whole, body);
  if (section.words <= maxWords) return [section];
  const numbered = (part: number, of: number) => ({
    ...whole,
    part,
    title: `${whole.title} (${part} of ${of})`,
  });
  const pieces = toPieces(body, maxWords - toSection(numbered(9_999, 9_999), '').words);
  return pieces.map((piece, index) => toSection(numbered(index + 1, pieces.length), piece));
};

type PartOptions = DocumentOptions & {
  readonly maxWords: number;
  /** Of the files, without number and extension. */
  readonly name: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
};

/** The transcripts in numbered texts of at most `maxWords`, with heads and contents, and a list of what is missing. One text is in memory. */
export async function* documentParts(options: PartOptions): AsyncGenerator<ZipEntry> {
  const { title, format, texts, maxWords, name, day } = options;
  const style = styles[format];
  const headOf = (part: number) => style.head(`${title}, part ${part}`);
  const roomWords = maxWords - measure(headOf(9_999));
  let [part, count] = [0, 0];
  let sections: Section[] = [];
  const pack = async (end: string, text: string): Promise<ZipEntry> => {
    const file = Buffer.from(text);
    const entry = { name: `${name} - ${end}.${style.extension}`, day, bytes: file.length };
    return { ...entry, data: await deflate(file), crc32: crc32(file) };
  };
  const toEntry = (): Promise<ZipEntry> => {
    part += 1;
    const [items, contents] = [sections.map(({ item }) => item), sections.map(({ text }) => text)];
    return pack(String(part).padStart(3, '0'), [headOf(part), ...items, ...contents].join(''));
  };
  let words = 0;
  for await (const { video, file } of texts) {
    for (const section of toSections(style, toHeading(video, count), file, roomWords)) {
      if (sections.length > 0 && words + section.words > roomWords) {
        yield await toEntry();
        [sections, words] = [[], 0];
      }
      sections.push(section);
      words += section.words;
    }
    count += 1;
  }
  if (sections.length > 0) yield await toEntry();
  const missing = missingText(style, options).trim();
  if (missing !== '') yield await pack('missing', `${missing}\n`);
}
