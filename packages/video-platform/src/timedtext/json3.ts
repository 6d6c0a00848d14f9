import { z } from 'zod';
import type { RawCaptions, RawCue } from './cues.ts';

const document = z.object({ events: z.array(z.unknown()) });

const LONGEST_MS = 30 * 86_400_000;
const milliseconds = z.number().min(0).max(LONGEST_MS).transform(Math.round);

/** A window event has no `segs`: it places text and holds none. */
const windowEvent = z.object({ segs: z.null().optional() });
const textEvent = z.object({
  tStartMs: milliseconds,
  dDurationMs: milliseconds.nullable().catch(null),
  segs: z.array(z.object({ utf8: z.string().optional() })),
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
