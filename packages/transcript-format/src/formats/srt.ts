import type { Cue } from '@tds/contracts';
import { type DisplaySpan, displaySpans } from '../display-spans.ts';
import { subtitleTime } from '../timestamps.ts';

const tagOpening = /<(?=\/?[a-z])/gi;

/**
 * SubRip has no escaping and its readers decode no entities, so only what a player would take for structure is
 * shown by a look-alike: the arrow, and the bracket that opens a tag (players swallow `<int>`). All else stays.
 */
export const srtText = (text: string): string => text.replaceAll('-->', '→').replace(tagOpening, '‹');

const renderSpan = ({ startMs, endMs, text }: DisplaySpan, index: number): string =>
  `${index + 1}\n${subtitleTime(startMs, ',')} --> ${subtitleTime(endMs, ',')}\n${srtText(text)}\n`;

export const renderSrt = (cues: readonly Cue[]): string => displaySpans(cues).map(renderSpan).join('\n');
