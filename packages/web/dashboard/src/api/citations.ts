import { queryOptions } from '@tanstack/react-query';
import type { Transcripts } from '@transcript-delivery/sdk';
import { fetchAnswer } from './send.ts';
import { withKey } from './with-key.ts';

type CitationChoice = NonNullable<Parameters<Transcripts['videos']['cite']>[1]>;
export type CitationFormat = NonNullable<CitationChoice['format']>;

/** A video, or a second of it. */
export type Cited = { readonly video: string; readonly at?: number | undefined };

/** A reference to a video. Its day of access is today. */
export const citationQuery = ({ video, at }: Cited, format: CitationFormat) =>
  queryOptions({
    queryKey: ['citation', video, at, format],
    queryFn: ({ signal }) =>
      withKey(async (key) => {
        const search = new URLSearchParams({
          video_id: video,
          format,
          ...(at !== undefined && { at: String(Math.floor(at)) }),
        });
        const answer = await fetchAnswer('GET', `/v1/video/citation?${search}`, { key, signal });
        return answer.text();
      }),
  });
