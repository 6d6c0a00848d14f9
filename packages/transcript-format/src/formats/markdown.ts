import { cleanText, singleLine } from '../clean-text.ts';
import { publishedDay } from '../published-day.ts';
import { readingTime } from '../timestamps.ts';
import type { TranscriptInput } from '../transcript-input.ts';
import { bracketedStart } from './plain-text.ts';

// Beside the marks themselves, what GitHub's dialect turns into links: `://`, `www.` and mail addresses.
const special = /[\\`*_[\]<>&~|#$^@]|:(?=\/\/)|(?<=www)\./gi;

const escapeMarkdown = (text: string): string =>
  singleLine(cleanText(text)).replace(special, String.raw`\$&`);

const captionKinds = { manual: 'manual', asr: 'automatic (asr)' } as const;

const channel = ({ channel_id: id, channel_title: title }: TranscriptInput['video']): string | null =>
  title !== null && id !== null ? `${title} (${id})` : (title ?? id);

/** Unknown facts are left out, never guessed. */
const metadata = ({ video, language }: TranscriptInput): string[] => {
  const facts: [name: string, value: string | null][] = [
    ['Video', video.id],
    ['Channel', channel(video)],
    ['Published', publishedDay(video.published_at)],
    ['Duration', video.duration === null ? null : readingTime(video.duration)],
    ['Language', language.delivered],
    ['Captions', captionKinds[language.kind]],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [`- ${name}: ${escapeMarkdown(value)}`]));
};

export const renderMarkdown = (input: TranscriptInput): string => {
  const heading = escapeMarkdown(input.video.title ?? '') || escapeMarkdown(input.video.id);
  const lines = input.cues.map((cue) => `- **${bracketedStart(cue)}** ${escapeMarkdown(cue.text)}`);
  return [`# ${heading}`, '', ...metadata(input), '', '## Transcript', '', ...lines, ''].join('\n');
};
