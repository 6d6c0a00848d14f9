-- The one place that says whether a track is cold. What was delivered comes before a fact about the video. A manual track in exactly
-- the wanted language is the first choice of every request, so it also serves those who are the first to ask in this language.
CREATE OR REPLACE FUNCTION look(p_video_id bpchar, p_language text, p_fallback boolean, p_format text) RETURNS SETOF known
LANGUAGE sql STABLE AS $$
  SELECT CASE
      WHEN c.is_current AND s.is_fallback AND NOT p_fallback THEN 'strict'
      WHEN c.is_current AND t.id IS NOT NULL OR s.video_id IS NULL AND t.id IS NOT NULL THEN 'delivered'
      WHEN v.fact IS NOT NULL AND (v.fact_expires_at IS NULL OR v.fact_expires_at > now()) THEN 'fact' END,
    v.title, v.channel_id, v.channel_title, v.published_at, v.duration, v.fact, v.fact_expires_at, v.fact_retry_at,
    coalesce(s.is_fallback, false), coalesce(s.translation, 'not_requested'), s.available, s.expires_at,
    t.id, t.language_code, t.kind, t.object_key, t.cached_at, t.video, t.strategy, r.object_key, r.bytes, r.sha256, r.crc32
  FROM (SELECT) AS one
  LEFT JOIN videos AS v ON v.id = p_video_id
  LEFT JOIN selections AS s ON s.video_id = p_video_id AND s.language = p_language
  CROSS JOIN LATERAL (SELECT s.video_id IS NOT NULL AND (s.expires_at IS NULL OR s.expires_at > now()) AS is_current) AS c
  LEFT JOIN transcripts AS t ON t.id = CASE
    WHEN s.video_id IS NOT NULL THEN s.transcript_id
    ELSE (SELECT e.id FROM transcripts AS e
      WHERE e.video_id = p_video_id AND e.language_code = p_language AND e.kind = 'manual' AND NOT e.translated) END
  LEFT JOIN rendered_files AS r ON r.transcript_id = t.id AND r.format = p_format
$$;
