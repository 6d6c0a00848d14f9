import { existsSync, readFileSync } from 'node:fs';
import type { Cue } from '@tds/contracts';

const folder = new URL('../../../../../shared/recordings/timedtext/', import.meta.url);

type Json3 = {
  readonly events: readonly {
    readonly tStartMs: number;
    readonly dDurationMs?: number;
    readonly segs?: readonly { readonly utf8: string }[];
  }[];
};

/** Recorded answers of the platform lie beside the repository, not in it. */
export const recordingsAreThere = existsSync(folder);

export const readRecording = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

/** Just enough of json3 for these tests: every event is a cue, empty or not. */
export const readJson3 = (name: string): Cue[] =>
  (JSON.parse(readRecording(name)) as Json3).events.map(({ tStartMs, dDurationMs = 0, segs = [] }) => ({
    startMs: tStartMs,
    durationMs: dDurationMs,
    text: segs.map(({ utf8 }) => utf8).join(''),
  }));
