-- All tracks of a video that are cached.
CREATE OR REPLACE FUNCTION tracks_of(p_video_id text) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object(
    'id', id, 'language_code', language_code, 'kind', kind, 'translated', translated, 'object_key', object_key)), '[]')
  FROM transcripts WHERE video_id = p_video_id::bpchar
$$;
