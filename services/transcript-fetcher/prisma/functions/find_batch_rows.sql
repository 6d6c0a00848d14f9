-- The rows of a batch as they stand: each its own operation, and what the cache knows of its video in one language, with the file in
-- one format. A function for its settings: planned while the tables were small, it would go on reading them from end to end.
CREATE OR REPLACE FUNCTION find_batch_rows(p_ids uuid[], p_video_ids bpchar[], p_language text, p_format text) RETURNS TABLE (
  operation_id uuid, asked_id bpchar, state text, charge integer, operation_is_fallback boolean, operation_translation text,
  error jsonb, title text, channel_id text, channel_title text, published_at text, duration integer, fact jsonb,
  fact_expires_at timestamptz, fact_retry_at timestamptz, is_fallback boolean, translation text, available text[],
  expires_at timestamptz, transcript_id uuid, language_code text, kind text, cues_key text, cached_at timestamptz,
  snapshot jsonb, strategy text, file_key text, bytes integer, sha256 text
) LANGUAGE sql STABLE SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  SELECT asked.operation_id, asked.id, o.state, o.charge, o.is_fallback, o.translation, o.error,
    v.title, v.channel_id, v.channel_title, v.published_at, v.duration, v.fact, v.fact_expires_at, v.fact_retry_at,
    s.is_fallback, s.translation, s.available, s.expires_at,
    t.id, t.language_code, t.kind, t.object_key, t.cached_at, t.video, t.strategy, r.object_key, r.bytes, r.sha256
  FROM unnest(p_ids, p_video_ids) AS asked (operation_id, id)
  LEFT JOIN operations AS o ON o.id = asked.operation_id
  LEFT JOIN videos AS v ON v.id = asked.id
  -- By itself: otherwise all selections of the language are read, while there are few.
  LEFT JOIN LATERAL (
    SELECT * FROM selections WHERE video_id = asked.id AND language = p_language OFFSET 0
  ) AS s ON true
  -- The manual track in exactly this language, unless it is known what the language leads to.
  LEFT JOIN transcripts AS t ON t.id = coalesce(o.transcript_id, s.transcript_id, (
    SELECT exact.id FROM transcripts AS exact
    WHERE s.video_id IS NULL AND exact.video_id = asked.id AND exact.language_code = p_language
      AND exact.kind = 'manual' AND NOT exact.translated))
  LEFT JOIN rendered_files AS r ON r.transcript_id = t.id AND r.format = p_format
$$;
