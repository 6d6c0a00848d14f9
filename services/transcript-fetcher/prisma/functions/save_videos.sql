-- Adds what attempts have learnt, as JSON with the names of the columns, none of the videos twice. A null never replaces a value,
-- and a failure that is no fact about the video never hides an earlier delivery. `fetched_at` is when that was learnt which
-- `status` says.
CREATE OR REPLACE FUNCTION save_videos(p_videos jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO videos AS v SELECT * FROM jsonb_populate_recordset(NULL::videos, p_videos) ORDER BY id
  ON CONFLICT (id) DO UPDATE SET
    title = coalesce(excluded.title, v.title),
    channel_id = coalesce(excluded.channel_id, v.channel_id),
    channel_title = coalesce(excluded.channel_title, v.channel_title),
    published_at = coalesce(excluded.published_at, v.published_at),
    duration = coalesce(excluded.duration, v.duration),
    status = CASE WHEN excluded.fact IS NULL AND v.status = 'fetched' THEN 'fetched' ELSE excluded.status END,
    error_class = CASE WHEN excluded.fact IS NULL AND v.status = 'fetched' THEN NULL ELSE excluded.error_class END,
    fact = excluded.fact,
    fact_expires_at = excluded.fact_expires_at,
    fact_retry_at = excluded.fact_retry_at,
    caption_tracks = CASE WHEN excluded.caption_tracks = '[]' THEN v.caption_tracks ELSE excluded.caption_tracks END,
    selected_language = coalesce(excluded.selected_language, v.selected_language),
    selected_kind = coalesce(excluded.selected_kind, v.selected_kind),
    fetched_at = CASE
      WHEN v.status = 'fetched' AND excluded.fact IS NULL AND excluded.status <> 'fetched' THEN v.fetched_at
      ELSE coalesce(excluded.fetched_at, v.fetched_at)
    END
$$;
