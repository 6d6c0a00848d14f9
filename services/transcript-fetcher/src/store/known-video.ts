import { type CaptionKind, type VideoDetails, videoDetails } from '@tds/contracts';
import type { Sql } from '@tds/service-kit';
import type { TrackIdentity } from './transcripts.ts';

/** What the cache holds of a video before it is fetched. */
export type KnownVideo = {
  readonly details: Omit<VideoDetails, 'id'>;
  readonly tracks: readonly (TrackIdentity & { readonly transcriptId: string; readonly cuesKey: string })[];
};

type Row = Omit<VideoDetails, 'id'> & {
  transcript_id: string | null;
  object_key: string;
  language_code: string;
  kind: CaptionKind;
  translated: boolean;
};

const FIND = {
  name: 'find-known-video',
  text: `
    SELECT v.title, v.channel_id, v.channel_title, v.published_at, v.duration,
      t.id AS transcript_id, t.object_key, t.language_code, t.kind, t.translated
    FROM (SELECT $1::char(11) AS id) AS asked
    LEFT JOIN videos v ON v.id = asked.id
    LEFT JOIN transcripts t ON t.video_id = asked.id`,
};

/** A release before this one may have saved longer texts than an answer holds. */
const knownDetails = videoDetails.omit({ id: true });

export async function findKnownVideo(sql: Sql, videoId: string): Promise<KnownVideo> {
  const rows = await sql<Row>(FIND, [videoId]);
  const [row] = rows;
  if (!row) throw new Error('a statement without a row source answered no row');
  const { title, channel_id, channel_title, published_at, duration } = row;
  return {
    details: knownDetails.parse({ title, channel_id, channel_title, published_at, duration }),
    tracks: rows.flatMap(({ transcript_id: transcriptId, object_key: cuesKey, language_code, ...track }) =>
      transcriptId === null
        ? []
        : [
            {
              transcriptId,
              cuesKey,
              videoId,
              languageCode: language_code,
              kind: track.kind,
              translated: track.translated,
            },
          ],
    ),
  };
}
