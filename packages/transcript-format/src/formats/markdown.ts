import type { LanguageDelivery } from '@tds/contracts';
import { withoutBidiControls } from '../bidi-controls.ts';
import { cleanText, singleLine } from '../clean-text.ts';
import { publishedDay } from '../published-day.ts';
import { readingTime } from '../timestamps.ts';
import type { TranscriptInput } from '../transcript-input.ts';
import { bracketedStart } from './plain-text.ts';

// Beside the marks themselves, what GitHub's dialect turns into links: `://`, `www.` and mail addresses.
const special = /[\\`*_[\]<>&~|#$^@]|:(?=\/\/)|(?<=www)\./gi;

const escapeMarkdown = (text: string): string =>
  singleLine(cleanText(text)).replace(special, String.raw`\$&`);

/** Names and titles are strangers' text beside ours. */
const escapeName = (text: string): string => escapeMarkdown(withoutBidiControls(text));

const captionKinds = { manual: 'manual', asr: 'automatic (asr)' } as const;

type Facts = readonly (readonly [name: string, value: string | null])[];

/** Unknown facts are left out, never guessed. */
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

/** The file of a track, for whatever language it is delivered. */
export const renderMarkdown = (input: TranscriptInput): string => {
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
 * A rendered file as one caller gets it: it is stored once for all who are delivered its track, so what it says of the
 * track gives way to what was asked for and what was delivered.
 */
export const markdownFor = (file: string, language: LanguageDelivery): string => {
  const end = file.indexOf(BODY);
  if (end < 0) throw new Error('this is no file that was rendered as md');
  const head = file.slice(0, end).split('\n');
  const facts = [...head.filter((line) => !trackFacts.test(line)), ...languageFacts(language)];
  return facts.join('\n') + file.slice(end);
};
