import type { transcriptBody } from '@tds/http-api';
import type { z } from 'zod';

/** About 17 KB of an hour's 1,200 cues: a model reads the rest only if it needs it. */
export const CUES_A_PART = 400;

/** Twice what 400 usual cues have: what strangers wrote does not fill a model's memory at once. */
export const CHARACTERS_A_PART = 40_000;

export type TranscriptPart = Extract<z.output<typeof transcriptBody>, { format: 'json' }>;

/** A cue is one line whatever the platform wrote, so no cue looks like two. */
const lineOf = ({ start, text }: TranscriptPart['cues'][number]): string =>
  `[${Math.floor(start)}] ${text.replaceAll(/\s+/g, ' ')}`;

/** The lines of the next cues, as many as a part holds, and at least one. */
const linesFrom = (cues: TranscriptPart['cues'], from: number): string[] => {
  const lines: string[] = [];
  let characters = 0;
  for (const cue of cues.slice(from, from + CUES_A_PART)) {
    const line = lineOf(cue);
    characters += line.length;
    if (lines.length > 0 && characters > CHARACTERS_A_PART) break;
    lines.push(line);
  }
  return lines;
};

/** The cues from `from` on, at most 400; `next_cue` is null after the last one. */
export const transcriptPart = ({ video, language, fetched_at, cues }: TranscriptPart, from: number) => {
  const lines = linesFrom(cues, from);
  const next = from + lines.length;
  return {
    status: 'ready',
    video,
    language,
    fetched_at,
    total_cues: cues.length,
    from_cue: from,
    next_cue: next < cues.length ? next : null,
    text: lines.join('\n'),
  };
};
