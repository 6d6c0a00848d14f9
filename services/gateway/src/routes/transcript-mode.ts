import {
  type ParsedFields,
  type routes,
  serviceError,
  type TranscriptFormat,
  type TranscriptSelection,
} from '@tds/contracts';
import { memoize } from '../memoize.ts';

export type TranscriptQuery = ParsedFields<typeof routes.getTranscript.query>;

const DEFAULT_FORMAT: TranscriptFormat = 'both';

const select = memoize(
  ({ video_id, language, fallback, format = DEFAULT_FORMAT }: TranscriptQuery): TranscriptSelection => ({
    videoId: video_id as string,
    language,
    fallback,
    format,
  }),
);

/** What to read or start, the same for the same query; null in poll mode, and if the modes are mixed up. */
export const selectionOf = (query: TranscriptQuery): TranscriptSelection | null =>
  query.video_id === undefined || query.request_id !== undefined ? null : select(query);

/** The request that a poll asks for; throws if the query names both modes or none. */
export const polledRequest = ({ video_id, request_id }: TranscriptQuery): string => {
  if (request_id === undefined) {
    throw serviceError('unknown_query_mode', {
      message: 'Send video_id to start or read, or request_id to poll.',
    });
  }
  if (video_id !== undefined) {
    throw serviceError('conflicting_query_modes', { message: 'Send video_id or request_id, not both.' });
  }
  return request_id;
};

/** Where to look after work that goes on, in the same form as it was asked for. */
export const pollUrl = (
  requestId: string,
  { format, raw }: Pick<TranscriptQuery, 'format' | 'raw'>,
): string =>
  `/v1/transcript?request_id=${requestId}${format === undefined ? '' : `&format=${format}`}${raw ? '&raw=1' : ''}`;
