import { z } from 'zod';
import { bounds } from '../config/bounds.ts';
import type { RawCaptions, RawCue } from './cues.ts';

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
 * Without zod, which takes longer than the parser, and would collect an issue for each of millions of damaged events. A window
 * event has no `segs`: it places text and holds none.
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
export const readJson3 = (body: string): RawCaptions => {
  const events = document.parse(JSON.parse(body)).events.map(readEvent);
  return {
    cues: events.filter((event) => typeof event === 'object'),
    omitted: events.filter((event) => event === 'odd').length,
  };
};
