import type { Cue } from '@tds/contracts';

export type DisplaySpan = { readonly startMs: number; readonly endMs: number; readonly text: string };

/**
 * When each normalized cue is on screen: it ends where the next begins, so that players never stack two lines.
 * Players refuse a cue without length: cues that start together share the time until the next later start,
 * and a cue without duration lasts 1 ms.
 */
export const displaySpans = (cues: readonly Cue[]): DisplaySpan[] => {
  const spans: DisplaySpan[] = [];
  let laterStartMs = Number.POSITIVE_INFINITY;
  let followingStartMs = Number.POSITIVE_INFINITY;
  for (const { startMs, durationMs, text } of cues.toReversed()) {
    if (startMs < followingStartMs) laterStartMs = followingStartMs;
    followingStartMs = startMs;
    spans.push({ startMs, endMs: Math.min(startMs + Math.max(1, durationMs), laterStartMs), text });
  }
  return spans.reverse();
};
