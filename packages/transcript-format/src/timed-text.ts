import type { Cue } from '@tds/contracts';
import { type DisplaySpan, displaySpans, readingTime, singleLine, subtitleTime } from './cues.ts';

/** An entry of the format json. */
type TimedText = { readonly start: number; readonly duration: number; readonly text: string };
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

const lookAlikes: Readonly<Record<string, string>> = { '-->': '→', '<': '‹', '{': '❴', '}': '❵' };
/** Named entities that HTML, and so many readers, know without a semicolon. */
const bareEntity =
  'amp|copy|gt|lt|quot|reg|[aeiouy](?:acute|circ|grave|uml)|[ano]tilde|aring|aelig|ccedil|oslash|szlig|eth|thorn|acute|brvbar|cedil|cent|curren|deg|divide|frac(?:12|14|34)|iexcl|iquest|[lr]aquo|macr|micro|middot|nbsp|not|ord[fm]|para|plusmn|pound|sect|shy|sup[123]|times|uml|yen';
const entityOpening = new RegExp(String.raw`&(?=#x?[\da-f]|[a-z\d]{1,32};|${bareEntity})`, 'gi');
/** Breaks of SubStation Alpha, to which players convert. */
const breakOpening = /\\(?=[nNh])/g;

/**
 * SubRip has no escaping. Its readers on a desktop run tags and braces, those of the web take `<` for a tag in any place and decode entities.
 * So look-alikes replace what one of them would run, and a word joiner, which has no width, stands behind the sign that begins an escape.
 */
export const srtText = (text: string): string =>
  text
    .replace(/-->|[<{}]/g, (sign) => lookAlikes[sign] ?? sign)
    .replace(breakOpening, '$&\u2060')
    .replace(entityOpening, '$&\u2060');

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
