import type { Cue } from '@tds/contracts';
import { type DisplaySpan, displaySpans } from '../display-spans.ts';
import { subtitleTime } from '../timestamps.ts';

const escapeVtt = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const renderSpan = ({ startMs, endMs, text }: DisplaySpan): string =>
  `${subtitleTime(startMs, '.')} --> ${subtitleTime(endMs, '.')}\n${escapeVtt(text)}\n`;

/** No header lines after the signature: the W3C validator accepts only a blank line there. */
export const renderVtt = (cues: readonly Cue[]): string =>
  ['WEBVTT\n', ...displaySpans(cues).map(renderSpan)].join('\n');
