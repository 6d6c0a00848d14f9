import type { Cue, LanguageDelivery, TranscriptFormat } from '@tds/contracts';
import {
  cleanText,
  type DisplaySpan,
  displaySpans,
  normalizeCues,
  readingTime,
  singleLine,
  subtitleTime,
  type TranscriptInput,
  withoutBidiControls,
} from './cues.ts';
import { publishedDay } from './file-names.ts';

/** Times in seconds, exact to the millisecond. They are the platform's, overlaps included: only srt and vtt are for players. */
const renderJson = (cues: readonly Cue[]): string =>
  JSON.stringify(
    cues.map(({ startMs, durationMs, text }) => ({
      start: startMs / 1000,
      duration: durationMs / 1000,
      text,
    })),
  );

const paragraphPauseMs = 2_000;

/** Captions joined by spaces, with a blank line after two seconds or more without a caption. */
const renderClean = (cues: readonly Cue[]): string => {
  let text = '';
  let spokenUntilMs = 0;
  for (const cue of cues) {
    const separator = cue.startMs - spokenUntilMs >= paragraphPauseMs ? '\n\n' : ' ';
    text += (text === '' ? '' : separator) + singleLine(cue.text);
    spokenUntilMs = Math.max(spokenUntilMs, cue.startMs + cue.durationMs);
  }
  return text;
};

/** The start of a cue as `[MM:SS]` or `[H:MM:SS]`, rounded down. */
const bracketedStart = (cue: Cue): string => `[${readingTime(Math.floor(cue.startMs / 1000))}]`;

const renderTimestamped = (cues: readonly Cue[]): string =>
  cues.map((cue) => `${bracketedStart(cue)} ${singleLine(cue.text)}`).join('\n');

const renderBoth = (cues: readonly Cue[]): string =>
  `TRANSCRIPT\n\n${renderClean(cues)}\n\nTRANSCRIPT WITH TIMESTAMPS\n\n${renderTimestamped(cues)}`;

const tagOpening = /<(?=\/?[a-z])/gi;
/** Overrides of SubStation Alpha, such as `{\an8}`, and of MicroDVD, such as `{y:i}`. */
const overrideOpening = /\{(?=\\|[cfhopsy]:)/gi;

/**
 * SubRip has no escaping and its readers decode no entities. So look-alikes replace what a player would parse: the arrow, and the bracket
 * that opens a tag or an override (players swallow `<int>`).
 */
export const srtText = (text: string): string =>
  text.replaceAll('-->', '→').replace(tagOpening, '‹').replace(overrideOpening, '｛');

const renderSpan = ({ startMs, endMs, text }: DisplaySpan, index: number): string =>
  `${index + 1}\n${subtitleTime(startMs, ',')} --> ${subtitleTime(endMs, ',')}\n${srtText(text)}\n`;

const renderSrt = (cues: readonly Cue[]): string => displaySpans(cues).map(renderSpan).join('\n');

const escapeVtt = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const renderSpanVtt = ({ startMs, endMs, text }: DisplaySpan): string =>
  `${subtitleTime(startMs, '.')} --> ${subtitleTime(endMs, '.')}\n${escapeVtt(text)}\n`;

/** No header lines after the signature: the W3C validator accepts only a blank line there. */
const renderVtt = (cues: readonly Cue[]): string =>
  ['WEBVTT\n', ...displaySpans(cues).map(renderSpanVtt)].join('\n');

// Markdown's own characters, and what GitHub's dialect turns into links: `://`, `www.` and mail addresses.
const special = /[\\`*_[\]<>&~|#$^@]|:(?=\/\/)|(?<=www)\./gi;

const escapeMarkdown = (text: string): string =>
  singleLine(cleanText(text)).replace(special, String.raw`\$&`);

/** Names and titles are untrusted text. */
const escapeName = (text: string): string => escapeMarkdown(withoutBidiControls(text));

const captionKinds = { manual: 'manual', asr: 'automatic (asr)' } as const;

type Facts = readonly (readonly [name: string, value: string | null])[];

/** Leaves out unknown facts. */
const listed = (facts: Facts): string[] =>
  facts.flatMap(([name, value]) => (value === null ? [] : [`- ${name}: ${escapeName(value)}`]));

const channel = ({ channel_id: id, channel_title: title }: TranscriptInput['video']): string | null =>
  title !== null && id !== null ? `${title} (${id})` : (title ?? id);

const metadata = ({ video, language }: TranscriptInput): string[] =>
  listed([
    ['Video', video.id],
    ['Channel', channel(video)],
    ['Published', publishedDay(video.published_at)],
    ['Duration', video.duration === null ? null : readingTime(video.duration)],
    ['Language', language.delivered],
    ['Captions', captionKinds[language.kind]],
  ]);

const BODY = '\n\n## Transcript\n';

/** The file of a track, independent of the requested language. */
const renderMarkdown = (input: TranscriptInput): string => {
  const heading = escapeName(input.video.title ?? '') || escapeMarkdown(input.video.id);
  const lines = input.cues.map((cue) => `- **${bracketedStart(cue)}** ${escapeMarkdown(cue.text)}`);
  return `${[`# ${heading}`, '', ...metadata(input)].join('\n')}${BODY}${['', ...lines, ''].join('\n')}`;
};

const deliveredAs = ({ delivered, fallback, translation }: LanguageDelivery): string => {
  if (translation === 'served') return `${delivered} (translated by the platform)`;
  if (!fallback) return delivered;
  return translation === 'refused'
    ? `${delivered} (fallback: the platform refused the translation for now)`
    : `${delivered} (fallback: there is no translation into the requested language)`;
};

const languageFacts = (language: LanguageDelivery): string[] => {
  const kind = captionKinds[language.kind];
  return listed([
    ['Language requested', language.requested],
    ['Language delivered', deliveredAs(language)],
    ['Captions', language.translation === 'served' ? `translated from ${kind} captions` : kind],
  ]);
};

const trackFacts = /^- (?:Language|Captions): /;

/**
 * The rendered file for one caller. The stored file is shared by all deliveries of its track, so this replaces its language lines by the
 * requested and the delivered language.
 */
export const markdownFor = (file: string, language: LanguageDelivery): string => {
  const end = file.indexOf(BODY);
  if (end < 0) throw new Error('this is no file that was rendered as md');
  const head = file.slice(0, end).split('\n');
  const facts = [...head.filter((line) => !trackFacts.test(line)), ...languageFacts(language)];
  return facts.join('\n') + file.slice(end);
};

const renderers: Record<TranscriptFormat, (input: TranscriptInput) => string> = {
  json: ({ cues }) => renderJson(cues),
  clean: ({ cues }) => renderClean(cues),
  timestamped: ({ cues }) => renderTimestamped(cues),
  both: ({ cues }) => renderBoth(cues),
  srt: ({ cues }) => renderSrt(cues),
  vtt: ({ cues }) => renderVtt(cues),
  md: renderMarkdown,
};

/** The raw file of a format, to be encoded in UTF-8. The same input gives the same string. */
export const renderTranscript = (input: TranscriptInput, format: TranscriptFormat): string =>
  renderers[format]({ ...input, cues: normalizeCues(input.cues) });
