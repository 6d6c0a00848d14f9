import { z } from 'zod';
import { bounds } from '../config/bounds.ts';
import type { RawCaptions, RawCue } from './cues.ts';

/** Twice the cues: recognised speech puts an event between any two. */
const MOST_EVENTS = 2 * bounds.cues;
const document = z.object({ events: z.array(z.unknown()).max(MOST_EVENTS) });

const LONGEST_MS = 30 * 86_400_000;
const milliseconds = z.number().min(0).max(LONGEST_MS).transform(Math.round);

type Segment = { readonly utf8?: string };
/** Without zod: on damaged input a schema would collect an issue for each of millions of events. */
const isSegment = (segment: unknown): segment is Segment =>
  typeof segment === 'object' &&
  segment !== null &&
  (!('utf8' in segment) || typeof segment.utf8 === 'string');

/** A window event has no `segs`: it places text and holds none. */
const windowEvent = z.object({ segs: z.null().optional() });
const textEvent = z.object({
  tStartMs: milliseconds,
  dDurationMs: milliseconds.nullable().catch(null),
  segs: z.custom<readonly Segment[]>((segs) => Array.isArray(segs) && segs.every(isSegment)),
});

const readEvent = (event: unknown): RawCue | 'skip' | 'odd' => {
  const text = textEvent.safeParse(event);
  if (text.success) {
    const { tStartMs, dDurationMs, segs } = text.data;
    return { startMs: tStartMs, durationMs: dDurationMs, text: segs.map((seg) => seg.utf8 ?? '').join('') };
  }
  return windowEvent.safeParse(event).success ? 'skip' : 'odd';
};

/** `fmt=json3`. Its text is literal: no entities, no markup. */
export const readJson3 = (body: string): RawCaptions => {
  const events = document.parse(JSON.parse(body)).events.map(readEvent);
  return {
    cues: events.filter((event) => typeof event === 'object'),
    omitted: events.filter((event) => event === 'odd').length,
  };
};
