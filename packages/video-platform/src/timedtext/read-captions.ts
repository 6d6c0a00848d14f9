import type { Cue } from '@tds/contracts';
import { decode } from 'html-entities';
import { z } from 'zod';
import { broken, type Refusal, RefusedAnswer, refusal, verdicts } from '../classification/refusal.ts';
import { bounds } from '../config/limits.ts';
import { captionText, isTooDense, MARKUP } from '../tolerant.ts';
import { refuseXml, walkXml } from '../xml.ts';

type RawCue = { readonly startMs: number; readonly durationMs: number | null; readonly text: string };
type RawCaptions = { readonly cues: readonly RawCue[]; readonly omitted: number };

/** Captions with a larger share of unreadable events are rejected: the transcript would silently lack text. */
const MOST_OMITTED = 0.1;

/**
 * Orders cues by time and drops blank texts, whatever the event's flags. A missing duration lasts until the next cue. Throws
 * RefusedAnswer if nothing or too little is left.
 */
const finishCues = ({ cues, omitted }: RawCaptions): readonly Cue[] => {
  if (omitted > MOST_OMITTED * (cues.length + omitted)) throw new RefusedAnswer(broken('damaged_captions'));
  if (cues.length > bounds.cues) throw new RefusedAnswer(refusal('too_many_cues', verdicts.odd));
  const kept = cues
    .map((cue) => ({ ...cue, text: captionText(cue.text) }))
    .filter((cue) => cue.text !== '')
    .sort((one, other) => one.startMs - other.startMs);
  // Well-formed captions without a word: nothing to deliver, and not the strategy's fault.
  if (kept.length === 0) throw new RefusedAnswer(refusal('captions_without_text', verdicts.odd));
  return kept.map((cue, position) => ({
    startMs: cue.startMs,
    durationMs: cue.durationMs ?? Math.max(0, (kept[position + 1]?.startMs ?? cue.startMs) - cue.startMs),
    text: cue.text,
  }));
};

/** Twice the cues: recognised speech puts an event between any two. */
const MOST_EVENTS = 2 * bounds.cues;
const document = z.object({ events: z.array(z.unknown()).max(MOST_EVENTS) });

const LONGEST_MS = 30 * 86_400_000;
const isMilliseconds = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= LONGEST_MS;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

type Segment = { readonly utf8?: string };
const isSegment = (segment: unknown): segment is Segment =>
  isObject(segment) && (!('utf8' in segment) || typeof segment.utf8 === 'string');

/**
 * Without zod, which takes longer than the parser and would collect an issue for each of millions of damaged events. An event without
 * `segs` positions a window and has no text.
 */
const readEvent = (event: unknown): RawCue | 'skip' | 'odd' => {
  if (!isObject(event) || Array.isArray(event)) return 'odd';
  const { tStartMs, dDurationMs, segs } = event;
  if (segs === undefined || segs === null) return 'skip';
  if (!isMilliseconds(tStartMs) || !Array.isArray(segs) || !segs.every(isSegment)) return 'odd';
  return {
    startMs: Math.round(tStartMs),
    durationMs: isMilliseconds(dDurationMs) ? Math.round(dDurationMs) : null,
    text: segs.map((segment) => segment.utf8 ?? '').join(''),
  };
};

/** `fmt=json3`. Its text is literal: no entities, no markup. */
const readJson3 = (body: string): RawCaptions => {
  const events = document.parse(JSON.parse(body)).events.map(readEvent);
  return {
    cues: events.filter((event) => typeof event === 'object'),
    omitted: events.filter((event) => event === 'odd').length,
  };
};

type Attributes = Readonly<Record<string, string>>;

type Dialect = {
  readonly element: string;
  /** Returns null if the times are unreadable. */
  readonly read: (attributes: Attributes, text: string) => RawCue | null;
};

const whole = (value: string | undefined): number | null =>
  value !== undefined && /^\d{1,10}$/.test(value) ? Number(value) : null;

const secondsAsMs = (value: string | undefined): number | null =>
  value !== undefined && /^\d{1,8}(?:\.\d+)?$/.test(value) ? Math.round(Number(value) * 1000) : null;

const srv3: Dialect = {
  element: 'p',
  read: ({ t = '0', d }, text) => {
    const startMs = whole(t);
    return startMs === null ? null : { startMs, durationMs: whole(d), text };
  },
};

const FORMATTING = /<\/?(?:i|b|u|em|strong|font|span|c|v)(?:\s[^<>]*)?>/gi;

/** srv1 is HTML inside XML: markup is encoded once, literal text twice. */
const literal = (text: string): string => decode(text.replace(/<br\s*\/?>/gi, '\n').replace(FORMATTING, ''));

const srv1: Dialect = {
  element: 'text',
  read: ({ start, dur }, text) => {
    const startMs = secondsAsMs(start);
    return startMs === null ? null : { startMs, durationMs: secondsAsMs(dur), text: literal(text) };
  },
};

const dialects: Readonly<Record<string, Dialect>> = { timedtext: srv3, transcript: srv1 };

/** srv3 (`<timedtext>`) or srv1 (`<transcript>`). */
const readXml = (body: string): RawCaptions => {
  const cues: RawCue[] = [];
  let omitted = 0;
  let dialect: Dialect | null = null;
  let open: { attributes: Attributes; text: string } | null = null;
  walkXml(body, {
    open({ name, attributes }) {
      dialect ??= dialects[name] ?? refuseXml('not_captions');
      if (name === dialect.element) open = { attributes, text: '' };
      else if (name === 'br' && open !== null) open.text += '\n';
    },
    text(text) {
      if (open !== null) open.text += text;
    },
    close(name) {
      if (dialect === null || open === null || name !== dialect.element) return;
      const cue = dialect.read(open.attributes, open.text);
      if (cue === null) omitted += 1;
      else cues.push(cue);
      open = null;
    },
  });
  return { cues, omitted };
};

const readers: Readonly<Record<string, (body: string) => RawCaptions>> = { '{': readJson3, '<': readXml };

/** Detects the format by content. Throws RefusedAnswer, or the parser's error. */
export const readCaptionBody = (
  body: string,
): { readonly cues: readonly Cue[]; readonly omitted: number } => {
  const text = body.replace(/^\ufeff/, '').trimStart();
  const read = readers[text.charAt(0)];
  if (read === undefined) throw new RefusedAnswer(broken('not_captions'));
  if (isTooDense(text, MARKUP, bounds.marks)) throw new RefusedAnswer(refusal('too_dense', verdicts.odd));
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
    const isRefused = thrown instanceof RefusedAnswer;
    return { kind: 'refused', refusal: isRefused ? thrown.refusal : broken('garbage', { cause: thrown }) };
  }
};

/** Reads the cues on the caller's thread. */
export const cuesOf: CaptionReader<readonly Cue[]> = async (body) => readCaptions(body);

/** The result for a body that exceeded its reader's memory. It may be this video's fault, so it does not count against the route. */
export const costlyCaptions: CaptionReading<never> = {
  kind: 'refused',
  refusal: refusal('too_costly', verdicts.odd),
};
