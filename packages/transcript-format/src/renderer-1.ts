import type { Cue } from '@tds/contracts';
import { readingTime, singleLine, type TranscriptInput } from './cues.ts';
import { publishedDay } from './file-names.ts';
import { BODY, escapeMarkdown, escapeName, headingOf, listFacts, trackFacts } from './markdown.ts';
import { bracketedStart, renderTimestamped } from './timed-text.ts';

/** The first renderer, for files that were made by it and are lost. It differs from the current one in three formats, and merges no layers. */

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

const renderBoth = (cues: readonly Cue[]): string =>
  `TRANSCRIPT\n\n${renderClean(cues)}\n\nTRANSCRIPT WITH TIMESTAMPS\n\n${renderTimestamped(cues)}`;

const channel = ({ channel_id: id, channel_title: title }: TranscriptInput['video']): string | null =>
  title !== null && id !== null ? `${title} (${id})` : (title ?? id);

const renderMarkdown = (input: TranscriptInput): string => {
  const { video, cues } = input;
  const channelName = channel(video);
  const facts = listFacts([
    ['Video', escapeName(video.id)],
    ['Channel', channelName === null ? null : escapeName(channelName)],
    ['Published', publishedDay(video.published_at)],
    ['Duration', video.duration === null ? null : readingTime(video.duration)],
    ...trackFacts(input),
  ]);
  const lines = cues.map((cue) => `- **${bracketedStart(cue)}** ${escapeMarkdown(cue.text)}`);
  return `${[headingOf(input), '', ...facts].join('\n')}${BODY}${['', ...lines, ''].join('\n')}`;
};

export const firstRenderers = {
  clean: ({ cues }: TranscriptInput) => renderClean(cues),
  both: ({ cues }: TranscriptInput) => renderBoth(cues),
  md: renderMarkdown,
};
