import type { Cue, Word } from '@tds/contracts';
import { decode } from 'html-entities';
import { z } from 'zod';
import { broken, meanings, type Refusal, RefusedAnswer, refusal } from '../classification/index.ts';
import { bounds } from '../config/limits.ts';
import { captionText, isTooDense, MARKUP, refuseXml, walkXml, withValidCharacters } from '../reading/index.ts';
import { fromZero, type RawCue, withDurations } from './cue-times.ts';
import { mergeFrames, readStyle } from './merge-frames.ts';

/** Well-formed captions without a word: nothing to deliver, and not the strategy's fault. */
const wordlessRefusal = refusal('captions_without_text', meanings.wordless);

type RawCaptions = { readonly cues: readonly RawCue[]; readonly omitted: number };

/** Captions with a larger share of unreadable events are rejected: the transcript would silently lack text. */
const MAX_OMITTED = 0.1;

/** Whether the platform gives times within a cue: otherwise its parts are no words. */
const hasWordTimes = (cues: readonly RawCue[]): boolean =>
  cues.some(({ startMs, words = [] }) => words.some((word) => word.startMs > startMs));

const readableWords = (words: readonly Word[]): Word[] =>
  words.map(({ startMs, text }) => ({ startMs, text: captionText(text) })).filter(({ text }) => text !== '');

/**
 * Orders cues by time and drops blank texts, whatever the event's flags, and what is drawn anew. Throws RefusedAnswer if nothing or too little is
 * left.
 */
const finishCues = ({ cues, omitted }: RawCaptions): readonly Cue[] => {
  if (omitted > MAX_OMITTED * (cues.length + omitted)) throw new RefusedAnswer(broken('damaged_captions'));
  if (cues.length > bounds.cues) throw new RefusedAnswer(refusal('too_many_cues', meanings.odd));
  const areTimed = hasWordTimes(cues);
  const cuesWithText = cues
    .flatMap(fromZero)
    .map(({ words, style, ...cue }) => ({
      ...cue,
      // Words of recognised speech are no drawing.
      ...(!areTimed && style && { style }),
      text: captionText(cue.text),
      ...(areTimed && words && { words: readableWords(words) }),
    }))
    .filter((cue) => cue.text !== '')
    .sort((one, other) => one.startMs - other.startMs);
  if (cuesWithText.length === 0) throw new RefusedAnswer(wordlessRefusal);
  return mergeFrames(withDurations(cuesWithText));
};

/** Twice the cues: recognised speech puts an event between any two. */
const MAX_EVENTS = 2 * bounds.cues;
const events = z.array(z.unknown()).max(MAX_EVENTS);
/** The platform's JSON leaves out empty lists and zeros, and may write numbers as text. */
const document = z.union([
  z.object({ events }),
  z.object({ wireMagic: z.string(), events: events.default([]) }),
]);

const MAX_MS_LENGTH = 30 * 86_400_000;
const DECIMAL = /^-?\d{1,12}(?:\.\d{1,12})?$/;

/** Whole milliseconds; null if the value is no time. */
const readMs = (value: unknown, minMs = 0): number | null => {
  const ms = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  return typeof ms === 'number' && ms >= minMs && ms <= MAX_MS_LENGTH ? Math.round(ms) : null;
};

const readStartMs = (value: unknown): number | null => readMs(value, -MAX_MS_LENGTH);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

type Segment = { readonly utf8?: string; readonly tOffsetMs?: unknown; readonly pPenId?: unknown };
const isSegment = (segment: unknown): segment is Segment =>
  isObject(segment) && (!('utf8' in segment) || typeof segment.utf8 === 'string');

const segmentWords = (startMs: number, segments: readonly Segment[]): Word[] =>
  segments.map(({ utf8 = '', tOffsetMs = 0 }) => ({
    startMs: startMs + (readMs(tOffsetMs) ?? 0),
    text: utf8,
  }));

type EventMarks = { readonly areTimed: boolean; readonly areStyled: boolean };

/**
 * Without zod, which takes longer than the parser and would collect an issue for each of millions of damaged events. An event without
 * `segs` positions a window and has no text.
 */
const readEvent = (event: unknown, { areTimed, areStyled }: EventMarks): RawCue | 'skip' | 'odd' => {
  if (!isObject(event) || Array.isArray(event)) return 'odd';
  const { tStartMs = 0, dDurationMs, segs, pPenId, wpWinPosId } = event;
  if (segs === undefined || segs === null) return 'skip';
  const startMs = readStartMs(tStartMs);
  if (startMs === null || !Array.isArray(segs) || !segs.every(isSegment)) return 'odd';
  return {
    startMs,
    durationMs: readMs(dDurationMs),
    text: segs.map((segment) => segment.utf8 ?? '').join(''),
    ...(areTimed && { words: segmentWords(startMs, segs) }),
    ...(areStyled && { style: readStyle(segs, pPenId, wpWinPosId) }),
  };
};

/** `fmt=json3`. Its text is literal: no entities, no markup. */
const readJson3 = (body: string): RawCaptions => {
  const marks = { areTimed: body.includes('"tOffsetMs"'), areStyled: body.includes('"pPenId"') };
  const events = document.parse(JSON.parse(body)).events.map((event) => readEvent(event, marks));
  return {
    cues: events.filter((event) => typeof event === 'object'),
    omitted: events.filter((event) => event === 'odd').length,
  };
};

type Attributes = Readonly<Record<string, string>>;

/** Returns null if the times are unreadable. */
type ReadElement = (attributes: Attributes, text: string, parts: readonly Segment[]) => RawCue | null;

const secondsAsMs = (value: string | undefined, read = readMs): number | null =>
  value !== undefined && DECIMAL.test(value) ? read(Number(value) * 1000) : null;

const toCue = (startMs: number | null, durationMs: number | null, text: string): RawCue | null =>
  startMs === null ? null : { startMs, durationMs, text };

/** Times in milliseconds. */
const srv3: ReadElement = ({ t = '0', d, p, wp }, text, parts) => {
  const cue = toCue(readStartMs(t), readMs(d), text);
  return cue && { ...cue, words: segmentWords(cue.startMs, parts), style: readStyle(parts, p, wp) };
};

const FORMATTING = /<\/?(?:i|b|u|em|strong|font|span|c|v)(?:\s[^<>]*)?>/gi;

/** srv1 is HTML inside XML: markup is encoded once, literal text twice. */
const literal = (text: string): string => decode(text.replace(/<br\s*\/?>/gi, '\n').replace(FORMATTING, ''));

/** Times in seconds. */
const srv1: ReadElement = ({ start = '0', dur }, text) =>
  toCue(secondsAsMs(start, readStartMs), secondsAsMs(dur), literal(text));

/** By the names of the document and of its cues: srv3, srv2 and srv1. */
const dialects: Readonly<Record<string, Readonly<Record<string, ReadElement>>>> = {
  timedtext: { p: srv3, text: srv3 },
  transcript: { text: srv1 },
};

type OpenPart = { utf8: string; tOffsetMs: unknown; pPenId?: unknown };

const readValidXml = (body: string): RawCaptions => {
  const cues: RawCue[] = [];
  let omitted = 0;
  let dialect: (typeof dialects)[string] | null = null;
  let open: { name: string; attributes: Attributes; parts: OpenPart[] } | null = null;
  const append = (text: string) => {
    const part = open?.parts.at(-1);
    if (part) part.utf8 += text;
  };
  walkXml(body, {
    open({ name, attributes }) {
      dialect ??= dialects[name] ?? refuseXml('not_captions');
      if (Object.hasOwn(dialect, name)) open = { name, attributes, parts: [{ utf8: '', tOffsetMs: 0 }] };
      else if (name === 'br') append('\n');
      else if (name === 's') open?.parts.push({ utf8: '', tOffsetMs: attributes.t, pPenId: attributes.p });
    },
    text: append,
    close(name) {
      if (open === null || name !== open.name) return;
      const text = open.parts.map(({ utf8 }) => utf8).join('');
      const cue = dialect?.[name]?.(open.attributes, text, open.parts) ?? null;
      if (cue === null) omitted += 1;
      else cues.push(cue);
      open = null;
    },
  });
  return { cues, omitted };
};

/** Some uploads have characters and entities that XML forbids: they are read on the second try. */
const readXml = (body: string): RawCaptions => {
  try {
    return readValidXml(body);
  } catch (thrown) {
    if (thrown instanceof RefusedAnswer) throw thrown;
    return readValidXml(withValidCharacters(body));
  }
};

const readers: Readonly<Record<string, (body: string) => RawCaptions>> = { '{': readJson3, '<': readXml };

/** Detects the format by content. Throws RefusedAnswer, or the parser's error. */
export const readCaptionBody = (body: string): { readonly cues: readonly Cue[]; readonly omitted: number } => {
  const text = body.replace(/^\ufeff/, '').trimStart();
  const read = readers[text.charAt(0)];
  if (read === undefined) throw new RefusedAnswer(refusal('not_captions', meanings.foreign));
  if (isTooDense(text, MARKUP, bounds.marks)) throw new RefusedAnswer(refusal('too_dense', meanings.odd));
  const raw = read(text);
  return { cues: finishCues(raw), omitted: raw.omitted };
};

/** Plain data, so that it can come from a thread. */
export type CaptionReading<Value> =
  | { readonly kind: 'read'; readonly value: Value; readonly omitted: number }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Reads a caption body for its caller. When the signal fires, the result is no longer needed. */
export type CaptionReader<Value> = (body: string, signal: AbortSignal) => Promise<CaptionReading<Value>>;

/** Reads a caption body; never throws. */
export const readCaptions = (body: string): CaptionReading<readonly Cue[]> => {
  try {
    const { cues, omitted } = readCaptionBody(body);
    return { kind: 'read', value: cues, omitted };
  } catch (thrown) {
    const garbage = refusal('garbage', meanings.foreign, { cause: thrown });
    return { kind: 'refused', refusal: thrown instanceof RefusedAnswer ? thrown.refusal : garbage };
  }
};

/** Reads the cues on the caller's thread. */
export const readCues: CaptionReader<readonly Cue[]> = async (body) => readCaptions(body);

/** The result for a body whose words are all invisible. */
export const wordlessCaptions: CaptionReading<never> = { kind: 'refused', refusal: wordlessRefusal };

/** The result for a body that exceeded its reader's memory. It may be this video's fault, so it does not count against the route. */
export const costlyCaptions: CaptionReading<never> = {
  kind: 'refused',
  refusal: refusal('too_costly', meanings.odd),
};
