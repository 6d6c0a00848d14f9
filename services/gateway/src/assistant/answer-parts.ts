import type { transcriptBody } from '@tds/http-api';
import type { z } from 'zod';

/** About 25 passages, a third of an hour: a model reads the rest only if it needs it. */
export const CHARACTERS_A_PART = 16_000;

/** About 8 KB: a page of a listing's route has ten times as many. */
const VIDEOS_A_PART = 50;

export type JsonTranscript = Extract<z.output<typeof transcriptBody>, { format: 'json' }>;
type Passages = NonNullable<JsonTranscript['passages']>;

/** A passage is one line whatever the platform wrote, so no passage looks like two. */
const formatLine = ({ start, text }: Passages[number]): string =>
  `[${Math.floor(start)}] ${text.replaceAll(/\s+/g, ' ')}`;

/** The lines of the next passages, as many as a part holds, and at least one. */
const linesFrom = (passages: Passages, from: number): string[] => {
  const lines: string[] = [];
  let characters = 0;
  for (const passage of passages.slice(from)) {
    const line = formatLine(passage);
    characters += line.length;
    if (lines.length > 0 && characters > CHARACTERS_A_PART) break;
    lines.push(line);
  }
  return lines;
};

/** The passages from `from` on, as many as a part holds; `next_passage` is null after the last one. */
export const transcriptPart = (
  { video, language, fetched_at, passages = [] }: JsonTranscript,
  from: number,
) => {
  const lines = linesFrom(passages, from);
  const next = from + lines.length;
  return {
    status: 'ready',
    video,
    language,
    fetched_at,
    total_passages: passages.length,
    from_passage: from,
    next_passage: next < passages.length ? next : null,
    text: lines.join('\n'),
  };
};

export type VideoList = {
  readonly videos: readonly unknown[];
  readonly offset: number;
  readonly next_offset: number | null;
};

/** The videos from `from` on, at most 50, of the page of the listing in which it lies. */
export const listPart = (page: VideoList, from: number): VideoList => {
  const first = from - page.offset;
  const videos = page.videos.slice(first, first + VIDEOS_A_PART);
  const hasMore = first + videos.length < page.videos.length;
  return { ...page, videos, offset: from, next_offset: hasMore ? from + videos.length : page.next_offset };
};
