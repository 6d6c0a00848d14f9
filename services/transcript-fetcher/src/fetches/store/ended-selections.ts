import type { Sql } from '@tds/base';
import { languagesIn } from '@tds/contracts';
import type { StartedFetch } from '../../domain/fetch.ts';
import { type StartedFetchRow, toStartedFetch } from '../../tracks/index.ts';

/** Ends after an hour, so that a process that dies leaves it to a later reader. */
const CLAIM = `
  WITH ended AS (
    UPDATE selections SET expires_at = now() + interval '1 hour' WHERE (video_id, language) IN (
      SELECT video_id, language FROM selections
      WHERE video_id = ANY ($1::bpchar[]) AND language = ANY ($2) AND expires_at <= now() AND transcript_id IS NOT NULL
        AND translation <> 'refused' LIMIT $3 FOR UPDATE SKIP LOCKED)
    RETURNING video_id, language
  )
  SELECT jsonb_build_object('fetch_id', gen_random_uuid(), 'priority', 'jobs', 'account_id', $4::uuid, 'video_id', e.video_id,
    'language', e.language, 'fallback', true, 'losses', 0, 'known', to_jsonb(k) || '{"outcome": "refresh"}',
    'tracks', tracks_of(e.video_id)) AS begun
  FROM ended AS e CROSS JOIN LATERAL look(e.video_id, e.language, true, 'json') AS k`;

/** A list of languages stands for each of them, too: one of them may have answered it. */
export type EndedSelections = Readonly<Record<'videoIds' | 'languages', readonly string[]>> & {
  readonly accountId: string;
};

/** Fetches of tracks whose selections have ended and still have a transcript, each for one process. */
export const claimEndedSelections = async (
  sql: Sql,
  { videoIds, languages, accountId }: EndedSelections,
  limit: number,
): Promise<StartedFetch[]> => {
  const codes = languages.flatMap((language) => [language, ...languagesIn(language)]);
  const rows = await sql<{ begun: StartedFetchRow }>(CLAIM, [videoIds, codes, limit, accountId]);
  return rows.map(({ begun }) => toStartedFetch(begun));
};
