import type { Cue } from '@tds/contracts';

type Json3 = {
  readonly events: readonly {
    readonly tStartMs: number;
    readonly dDurationMs?: number;
    readonly segs?: readonly { readonly utf8: string }[];
  }[];
};

/** Just enough of json3 for these tests: every event is a cue, empty or not. */
export const readJson3 = (body: string): Cue[] =>
  (JSON.parse(body) as Json3).events.map(({ tStartMs, dDurationMs = 0, segs = [] }) => ({
    startMs: tStartMs,
    durationMs: dDurationMs,
    text: segs.map(({ utf8 }) => utf8).join(''),
  }));
