import type { transcriptBody } from '@tds/http-api';
import type { z } from 'zod';

/** About 17 KB of an hour's 1,200 cues: a model reads the rest only if it needs it. */
export const CUES_A_PART = 400;

export type TranscriptPart = Extract<z.output<typeof transcriptBody>, { format: 'json' }>;

/** A cue is one line whatever the platform wrote, so no cue looks like two. */
const lineOf = ({ start, text }: TranscriptPart['cues'][number]): string =>
  `[${Math.floor(start)}] ${text.replaceAll(/\s+/g, ' ')}`;

/** The cues from `from` on, at most 400 of them; `next_cue` is null after the last one. */
export const transcriptPart = ({ video, language, fetched_at, cues }: TranscriptPart, from: number) => {
  const end = from + CUES_A_PART;
  return {
    status: 'ready',
    video,
    language,
    fetched_at,
    total_cues: cues.length,
    from_cue: from,
    next_cue: end < cues.length ? end : null,
    text: cues.slice(from, end).map(lineOf).join('\n'),
  };
};
