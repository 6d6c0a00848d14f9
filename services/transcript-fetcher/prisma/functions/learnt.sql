-- Saves what was learnt about languages and videos.
CREATE OR REPLACE FUNCTION save_learnt(p_ends jsonb, p_tracks uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM save_selections((
    SELECT coalesce(jsonb_agg(selection), '[]') FROM (
      SELECT DISTINCT ON (selection -> 'video_id', selection -> 'language')
        selection || jsonb_build_object('transcript_id', p_tracks[n]) AS selection
      FROM jsonb_to_recordset(p_ends) AS e (n integer, selection jsonb) WHERE selection IS NOT NULL) AS once));
  PERFORM save_videos((
    SELECT coalesce(jsonb_agg(video), '[]') FROM (
      SELECT DISTINCT ON (video -> 'id') video FROM jsonb_to_recordset(p_ends) AS e (video jsonb) WHERE video IS NOT NULL) AS once));
END
$$;

-- Saves selections, given as JSON with the names of the columns, each once. A failure never replaces a transcript that is served.
CREATE OR REPLACE FUNCTION save_selections(p_selections jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO selections
  SELECT (jsonb_populate_record(NULL::selections, to_jsonb(n) || CASE WHEN n.transcript_id IS NULL AND k.transcript_id IS NOT NULL
    AND k.translation <> 'refused' THEN to_jsonb(k) - 'expires_at' ELSE '{}' END)).*
  FROM jsonb_populate_recordset(NULL::selections, p_selections) AS n
  LEFT JOIN selections AS k ON k.video_id = n.video_id AND k.language = n.language ORDER BY n.video_id, n.language
  ON CONFLICT (video_id, language) DO UPDATE SET transcript_id = excluded.transcript_id,
    is_fallback = excluded.is_fallback, translation = excluded.translation, available = excluded.available,
    expires_at = excluded.expires_at
$$;

-- Saves what attempts learnt about videos, given as JSON with the names of the columns, each once. A null never replaces a value, and a
-- failure that is no fact about the video never hides an earlier delivery. `fetched_at` is the time of `status`.
CREATE OR REPLACE FUNCTION save_videos(p_videos jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO videos AS v SELECT * FROM jsonb_populate_recordset(NULL::videos, p_videos) ORDER BY id
  ON CONFLICT (id) DO UPDATE SET
    title = coalesce(excluded.title, v.title),
    channel_id = coalesce(excluded.channel_id, v.channel_id),
    channel_title = coalesce(excluded.channel_title, v.channel_title),
    published_at = coalesce(excluded.published_at, v.published_at),
    duration = coalesce(excluded.duration, v.duration),
    description = coalesce(excluded.description, v.description),
    tags = coalesce(excluded.tags, v.tags),
    view_count = coalesce(excluded.view_count, v.view_count),
    thumbnail_url = coalesce(excluded.thumbnail_url, v.thumbnail_url),
    chapters = CASE WHEN excluded.description IS NULL THEN v.chapters ELSE excluded.chapters END,
    status = CASE WHEN excluded.fact IS NULL AND v.status = 'fetched' THEN 'fetched' ELSE excluded.status END,
    error_class = CASE WHEN excluded.fact IS NULL AND v.status = 'fetched' THEN NULL ELSE excluded.error_class END,
    fact = excluded.fact,
    fact_expires_at = excluded.fact_expires_at,
    fact_retry_at = excluded.fact_retry_at,
    caption_tracks = CASE WHEN excluded.caption_tracks = '[]' THEN v.caption_tracks ELSE excluded.caption_tracks END,
    original_language = CASE WHEN excluded.tracks_at IS NULL THEN v.original_language ELSE excluded.original_language END,
    translatable = coalesce(excluded.translatable, v.translatable),
    tracks_at = coalesce(excluded.tracks_at, v.tracks_at),
    selected_language = coalesce(excluded.selected_language, v.selected_language),
    selected_kind = coalesce(excluded.selected_kind, v.selected_kind),
    fetched_at = CASE
      WHEN v.status = 'fetched' AND excluded.fact IS NULL AND excluded.status <> 'fetched' THEN v.fetched_at
      ELSE coalesce(excluded.fetched_at, v.fetched_at)
    END
$$;
