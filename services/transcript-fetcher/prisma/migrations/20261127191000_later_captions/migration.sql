-- A read that asks the platform again although the cache has an answer. Repeats of its request have the same name.
ALTER TABLE operations ADD COLUMN refresh text;

-- What is kept of young videos and may become better ends, as new selections of this kind do. Not before the functions are replaced.
UPDATE selections AS s SET expires_at = now() + interval '1 hour'
FROM transcripts AS t JOIN videos AS v ON v.id = t.video_id
WHERE t.id = s.transcript_id AND s.expires_at IS NULL AND v.published_at > to_char(now() - interval '30 days', 'YYYY-MM-DD')
  AND (t.kind = 'asr' OR t.translated OR s.is_fallback);
