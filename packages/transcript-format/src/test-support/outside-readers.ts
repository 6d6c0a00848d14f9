import { parseText, tokenizeVTTCue, type VTTNode } from 'media-captions';
import SrtParser from 'srt-parser-2';
import { parseSync, stringifySync } from 'subtitle';
import webvtt, { type WebVttNode } from 'webvtt-parser';
import type { DisplaySpan } from '../cues.ts';

const toMs = (seconds: number): number => Math.round(seconds * 1000);

const nodeText = (node: WebVttNode): string => node.value ?? (node.children ?? []).map(nodeText).join('');

// Without this table the validator keeps the semicolon of every entity.
const vttEntities = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** The strict W3C validator: its complaints beside what it read. */
export const readVttStrictly = (file: string): { errors: unknown[]; spans: DisplaySpan[] } => {
  const { cues, errors } = new webvtt.WebVTTParser(vttEntities).parse(file, 'subtitles');
  const spans = cues.map(({ startTime, endTime, tree }) => ({
    startMs: toMs(startTime),
    endMs: toMs(endTime),
    text: nodeText(tree),
  }));
  return { errors, spans };
};

const tokenText = (node: VTTNode): string => node.data ?? (node.children ?? []).map(tokenText).join('');

/** A browser player's reader; it throws where the file is not strict WebVTT. */
export const readVttAsPlayer = async (file: string): Promise<DisplaySpan[]> => {
  const { cues } = await parseText(file, { type: 'vtt', strict: true });
  return cues.map((cue) => ({
    startMs: toMs(cue.startTime),
    endMs: toMs(cue.endTime),
    text: tokenizeVTTCue(cue).map(tokenText).join(''),
  }));
};

/** What a player of the web shows of an SRT: it takes tags and entities as WebVTT has them. */
export const readSrtAsPlayer = async (file: string): Promise<string[]> => {
  const { cues } = await parseText(file, { type: 'srt' });
  return cues.map((cue) => tokenizeVTTCue(cue).map(tokenText).join(''));
};

/** An SRT as WebVTT by a converter, which escapes nothing. */
export const convertToVtt = (srt: string): string => stringifySync(parseSync(srt), { format: 'WebVTT' });

export type NumberedSpan = DisplaySpan & { readonly number: number };

export const readSrtParser2 = (file: string): NumberedSpan[] =>
  new SrtParser().fromSrt(file).map(({ id, startSeconds, endSeconds, text }) => ({
    number: Number(id),
    startMs: toMs(startSeconds),
    endMs: toMs(endSeconds),
    text,
  }));

export const readSubtitle = (file: string): DisplaySpan[] =>
  parseSync(file).flatMap((node) =>
    node.type === 'cue' ? [{ startMs: node.data.start, endMs: node.data.end, text: node.data.text }] : [],
  );
