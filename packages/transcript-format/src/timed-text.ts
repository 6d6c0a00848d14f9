import type { Cue } from '@tds/contracts';
import { type DisplaySpan, displaySpans, readingTime, singleLine, subtitleTime } from './cues.ts';

/** An entry of the format json. */
export type TimedText = { readonly start: number; readonly duration: number; readonly text: string };
/** An entry of the format words; null if the platform did not time them. */
export type WordedText = TimedText & {
  readonly words: readonly { readonly start: number; readonly text: string }[] | null;
};

const toTimedText = ({ startMs, durationMs, text }: Cue): TimedText => ({
  start: startMs / 1000,
  duration: durationMs / 1000,
  text,
});

/** Times in seconds, exact to the millisecond. They are the platform's, overlaps included: only srt and vtt are for players. */
export const renderJson = (cues: readonly Cue[]): string => JSON.stringify(cues.map(toTimedText));

/** The same with the words of each cue. */
export const renderWords = (cues: readonly Cue[]): string =>
  JSON.stringify(
    cues.map(
      (cue): WordedText => ({
        ...toTimedText(cue),
        words: cue.words?.map(({ startMs, text }) => ({ start: startMs / 1000, text })) ?? null,
      }),
    ),
  );

/** Each cue on a line behind its start as `[MM:SS]` or `[H:MM:SS]`, rounded down. */
export const renderTimestamped = (cues: readonly Cue[]): string =>
  cues
    .map(({ startMs, text }) => `[${readingTime(Math.floor(startMs / 1000))}] ${singleLine(text)}`)
    .join('\n');

/** VLC takes a `<` before a letter for a tag, also behind spaces and without an end, and drops what follows. */
const tagOpening = /<(?=\s*\/?[a-z])/gi;
/** Breaks and brackets of SubStation Alpha, to which players convert. A word joiner behind the backslash has no width. */
const escapeOpening = /\\(?=[nNh{}])/g;

/**
 * SubRip has no escaping and its readers decode no entities. So look-alikes replace what a player would parse: the arrow, a `<` before a
 * word, and all that stands between brackets anywhere in a cue.
 */
export const srtText = (source: string): string => {
  const text = source.replaceAll('-->', '→').replace(tagOpening, '‹');
  const [firstOpen, lastClose, lastAngle] = [text.indexOf('{'), text.lastIndexOf('}'), text.lastIndexOf('>')];
  const hasPair = firstOpen >= 0 && firstOpen < lastClose;
  const show = (sign: string, at: number): string => {
    if (sign === '<') return at < lastAngle ? '‹' : sign;
    if (!hasPair || at < firstOpen || at > lastClose) return sign;
    return sign === '{' ? '❴' : '❵';
  };
  return text.replace(/[<{}]/g, show).replace(escapeOpening, '\\\u2060');
};

const renderSpan = ({ startMs, endMs, text }: DisplaySpan, index: number): string =>
  `${index + 1}\n${subtitleTime(startMs, ',')} --> ${subtitleTime(endMs, ',')}\n${srtText(text)}\n`;

export const renderSrt = (cues: readonly Cue[]): string => displaySpans(cues).map(renderSpan).join('\n');

const escapeVtt = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const renderSpanVtt = ({ startMs, endMs, text }: DisplaySpan): string =>
  `${subtitleTime(startMs, '.')} --> ${subtitleTime(endMs, '.')}\n${escapeVtt(text)}\n`;

/** No header lines after the signature: the W3C validator accepts only a blank line there. */
export const renderVtt = (cues: readonly Cue[]): string =>
  ['WEBVTT\n', ...displaySpans(cues).map(renderSpanVtt)].join('\n');
