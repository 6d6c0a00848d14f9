import type { LanguageDelivery } from '@tds/contracts';
// Not all contracts: a thread starts three times as fast without them.
import { channelUrl, videoMomentUrl, videoUrl } from '@tds/platform-addresses/platform-urls';
import { createCaptionSeparator, joinTexts, textLength } from './caption-text.ts';
import { cleanText, readingTime, singleLine, type TranscriptInput, withoutBidiControls } from './cues.ts';
import { publishedDay } from './file-names.ts';
import type { Passage } from './passages.ts';

/** Signs that every reader shows without the backslash before them: Gruber's. The dot may open a link of GitHub's. */
const gruberSigns = String.raw`(?<=>)>|[\\${'`'}*[#]|(?<=www)\.`;
/**
 * Signs that some reader runs and another shows with its backslash: of tags, entities, superscripts, kramdown's tables, Liquid's templates,
 * GitHub's links and pandoc's citations.
 */
const otherSigns = String.raw`<(?=\S)|&(?=#?[a-z\d]{1,32};)|[\^|]|(?<=\{)[{%:]|@(?=[\p{L}\p{N}._{\-])|:(?=//)`;
const special = new RegExp(`${gruberSigns}|(${otherSigns})`, 'giu');
/** What makes a formula, a strike, a highlight or a comment of the words between two of them. */
const pairedMarks = ['$', '~', '==', '%%'];

const named: Readonly<Record<string, string>> = { '<': '&lt;', '&': '&amp;' };
const toEntity = (sign: string): string => named[sign] ?? `&#${sign.codePointAt(0)};`;

const hasPair = (text: string, mark: string): boolean => {
  const parts = text.split(mark);
  const opened = parts.findIndex((part, at) => at > 0 && part.trimStart() === part);
  return opened > 0 && parts.slice(opened, -1).some((part) => part.trimEnd() === part);
};

const escapeMarkdown = (source: string): string => {
  const text = singleLine(cleanText(source));
  const signs = text.replace(special, (sign, other) => (other ? toEntity(sign) : `\\${sign}`));
  // One alone emphasizes nothing, and stands in many names.
  const escaped = text.indexOf('_') === text.lastIndexOf('_') ? signs : signs.replaceAll('_', String.raw`\_`);
  return pairedMarks
    .filter((mark) => hasPair(text, mark))
    .reduce((safe, mark) => safe.replaceAll(mark, mark.slice(1) + toEntity(mark)), escaped);
};

/** Names and titles are untrusted text. */
export const escapeName = (text: string): string => escapeMarkdown(withoutBidiControls(text));

/** A pipe makes no table in a heading. */
export const escapeHeading = (text: string): string => escapeName(text).replaceAll('&#124;', '|');

const captionKinds = { manual: 'manual', asr: 'automatic' } as const;

type Fact = readonly [name: string, markdown: string | null];

/** Leaves out unknown facts. */
const listFacts = (facts: readonly Fact[]): string[] =>
  facts.flatMap(([name, markdown]) => (markdown === null ? [] : [`- ${name}: ${markdown}`]));

/** An address as a link that shows itself. */
const autolink = (url: string): string => `<${url}>`;

const channelFact = ({ channel_id: id, channel_title: title }: TranscriptInput['video']): string | null => {
  const names = [
    escapeName(title ?? ''),
    id === null ? '' : autolink(channelUrl(encodeURIComponent(id.toWellFormed()))),
  ];
  return names.filter((part) => part !== '').join(', ') || null;
};

const renderHeading = ({ video }: TranscriptInput): string =>
  `# ${escapeHeading(video.title ?? '') || escapeMarkdown(video.id)}`;

/** With its English name, if it has one. The names are loaded here, as no thread should wait for them at its start. */
const nameLanguage = (tag: string): string => {
  try {
    const name = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(tag);
    return name ? `${name} (${tag})` : tag;
  } catch {
    return tag;
  }
};

/** A paragraph of a transcript: a passage, or the title of a chapter. */
export type Paragraph = Passage | { readonly title: string };

const listVideoFacts = (input: TranscriptInput, paragraphs: readonly Paragraph[]): string[] => {
  const { video, language } = input;
  const texts = paragraphs.flatMap((paragraph) => ('text' in paragraph ? [paragraph.text] : []));
  const length = textLength(joinTexts(texts, createCaptionSeparator(input.cues)));
  return listFacts([
    ['Video', autolink(videoUrl(video.id))],
    ['Channel', channelFact(video)],
    ['Published', publishedDay(video.published_at)],
    ['Duration', video.duration === null ? null : readingTime(video.duration)],
    [length.unit, String(length.count)],
    // `markdownFor` reads it.
    ['Language', `${escapeName(nameLanguage(language.delivered))}, ${captionKinds[language.kind]} captions`],
  ]);
};

export const BODY = '\n\n## Transcript\n';

const timeLink = (videoId: string, startMs: number): string => {
  const seconds = Math.floor(startMs / 1_000);
  return `[${readingTime(seconds)}](${videoMomentUrl(videoId, seconds)})`;
};

/** The file of a track, independent of the requested language. */
export const renderMarkdown = (input: TranscriptInput, paragraphs: readonly Paragraph[]): string => {
  const lines = paragraphs.map((paragraph) =>
    'title' in paragraph
      ? `### ${escapeHeading(paragraph.title)}`
      : `${timeLink(input.video.id, paragraph.startMs)} ${escapeMarkdown(paragraph.text)}`,
  );
  const head = [renderHeading(input), '', ...listVideoFacts(input, paragraphs)].join('\n');
  return `${head}${BODY}${lines.map((line) => `\n${line}\n`).join('')}`;
};

const describeDelivery = (delivered: string, { fallback, translation }: LanguageDelivery): string => {
  if (translation === 'served') return `${delivered} (translated by the platform)`;
  if (!fallback) return delivered;
  return translation === 'refused'
    ? `${delivered} (fallback: the platform refused the translation for now)`
    : `${delivered} (fallback: there is no translation into the requested language)`;
};

const deliveryFacts = (delivered: string, kind: string, language: LanguageDelivery): string[] =>
  listFacts([
    ['Language requested', escapeName(language.requested)],
    ['Language delivered', describeDelivery(delivered, language)],
    ['Captions', language.translation === 'served' ? `translated from ${kind} captions` : kind],
  ]);

const languageLine = /^- Language: (.*), (?:manual|automatic) captions$/;
/** Files of the first renderer have two lines, and keep the bytes that they were delivered with. */
const firstTrackFact = /^- (?:Language|Captions): /;
const firstCaptionKinds = { manual: 'manual', asr: 'automatic (asr)' } as const;

/**
 * The rendered file for one caller. The stored file is shared by all deliveries of its track, so this replaces its line of the language by the
 * requested and the delivered language if they differ.
 */
export const markdownFor = (file: string, language: LanguageDelivery): string => {
  const end = file.indexOf(BODY);
  if (end < 0) throw new Error('this is no file that was rendered as md');
  const head = file.slice(0, end).split('\n');
  const [, name] = languageLine.exec(head.at(-1) ?? '') ?? [];
  if (name !== undefined && !language.fallback && language.translation !== 'served') return file;
  const facts =
    name === undefined
      ? deliveryFacts(escapeName(language.delivered), firstCaptionKinds[language.kind], language)
      : deliveryFacts(name, captionKinds[language.kind], language);
  return [...head.filter((line) => !firstTrackFact.test(line)), ...facts].join('\n') + file.slice(end);
};
