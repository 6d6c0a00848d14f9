import type { Sql } from '@tds/base';
import type { CachedTranscript, Choice } from '../../domain/transcript.ts';

type KeptTrack = Pick<Choice, 'translation'> &
  Pick<CachedTranscript, 'languageCode' | 'kind'> & { readonly language: string };

/** Each costs a choice among all tracks of the video. */
const MAX_COMPARED = 30;

const FIND = `
  SELECT s.language, s.translation, t.language_code AS "languageCode", t.kind
  FROM selections AS s JOIN transcripts AS t ON t.id = s.transcript_id
  WHERE s.video_id = $1 AND (s.translation <> 'not_requested' OR t.kind = 'asr' OR strpos(s.language, ',') > 0) LIMIT ${MAX_COMPARED}`;

/** The tracks that the languages of a video lead to, if others may be better. */
export const findKeptTracks = (sql: Sql, videoId: string): Promise<KeptTrack[]> =>
  sql<KeptTrack>(FIND, [videoId]);

const END = 'UPDATE selections SET expires_at = now() WHERE video_id = $1 AND language = ANY ($2)';

/** Returns their languages. */
export const endSelections = async (
  sql: Sql,
  videoId: string,
  selections: readonly Pick<KeptTrack, 'language'>[],
): Promise<string[]> => {
  const languages = selections.map(({ language }) => language);
  if (languages.length > 0) await sql(END, [videoId, languages]);
  return languages;
};
