-- The only place that decides whether a track is cold. A delivery comes before a fact about the video, and is served after its end, unless its
-- translation was refused: the platform is asked beside that. The first choice of a language also serves the first request in this language.
-- `orig` and a list of languages, with commas between them, are answered by their own selection, or by that of one of their languages.
CREATE OR REPLACE FUNCTION look(p_video_id bpchar, p_language text, p_fallback boolean, p_format text) RETURNS SETOF known
LANGUAGE sql STABLE AS $$
  SELECT CASE
      WHEN c.is_current AND s.is_fallback AND NOT p_fallback THEN 'strict'
      WHEN t.id IS NOT NULL AND (s.video_id IS NULL OR c.is_current OR s.translation <> 'refused' AND (p_fallback OR NOT s.is_fallback))
        THEN 'delivered'
      WHEN v.fact IS NOT NULL AND (v.fact_expires_at IS NULL OR v.fact_expires_at > now()) THEN 'fact' END,
    v.title, v.channel_id, v.channel_title, v.published_at, v.duration, v.fact, v.fact_expires_at, v.fact_retry_at,
    coalesce(s.is_fallback, false), coalesce(s.translation, 'not_requested'), s.available, s.expires_at,
    t.id, t.language_code, t.kind, t.object_key, t.cached_at, t.video, t.strategy, r.object_key, r.bytes, r.sha256, r.crc32
  FROM (SELECT) AS one
  LEFT JOIN videos AS v ON v.id = p_video_id
  CROSS JOIN LATERAL (
    SELECT CASE WHEN p_language = 'orig' OR strpos(p_language, ',') > 0 THEN listed_language(p_video_id, p_language)
      ELSE p_language END AS language) AS l
  LEFT JOIN selections AS s ON s.video_id = p_video_id AND s.language = l.language
  CROSS JOIN LATERAL (SELECT s.video_id IS NOT NULL AND (s.expires_at IS NULL OR s.expires_at > now()) AS is_current) AS c
  LEFT JOIN transcripts AS t ON t.id = CASE
    WHEN s.video_id IS NOT NULL THEN s.transcript_id
    ELSE first_choice(p_video_id, l.language) END
  LEFT JOIN rendered_files AS r ON r.transcript_id = t.id AND r.format = p_format
$$;

-- The cached track that every request in exactly this language gets: a manual one, else the recognised one of the spoken language, if the
-- video has no manual one: of a young video that is known for a day.
CREATE OR REPLACE FUNCTION first_choice(p_video_id bpchar, p_language text) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT t.id FROM transcripts AS t LEFT JOIN videos AS v ON v.id = t.video_id
  WHERE t.video_id = p_video_id AND t.language_code = p_language AND NOT t.translated AND t.is_current AND (t.kind = 'manual'
    OR v.original_language = p_language
      AND (v.tracks_at > now() - interval '1 day' OR v.published_at < (now() - interval '30 days')::date::text)
      AND NOT v.caption_tracks @> jsonb_build_array(jsonb_build_object('language_code', p_language, 'kind', 'manual')))
  ORDER BY t.kind DESC LIMIT 1
$$;

-- The language whose selection answers a list: its own, else the first that has a native track, if those before it are known to have none.
-- `orig` without a selection is the spoken language, if that is known.
CREATE OR REPLACE FUNCTION listed_language(p_video_id bpchar, p_list text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT language FROM selections WHERE video_id = p_video_id AND language = p_list),
    (SELECT CASE WHEN is_native THEN language END FROM (
      SELECT w.language, n, CASE
          WHEN s.video_id IS NOT NULL THEN s.translation = 'not_requested' AND NOT s.is_fallback AND s.transcript_id IS NOT NULL
          ELSE first_choice(p_video_id, w.language) IS NOT NULL END AS is_native,
        s.video_id IS NOT NULL AND (s.expires_at IS NULL OR s.expires_at > now()) AS is_known
      FROM (SELECT coalesce(CASE language WHEN 'orig' THEN (SELECT v.original_language FROM videos AS v WHERE v.id = p_video_id
          AND NOT EXISTS (SELECT FROM selections WHERE video_id = v.id AND language = 'orig')) END, language) AS language, n
        FROM unnest(string_to_array(p_list, ',')) WITH ORDINALITY AS given (language, n)) AS w
      LEFT JOIN selections AS s ON s.video_id = p_video_id AND s.language = w.language) AS listed
    WHERE is_native OR NOT is_known ORDER BY n LIMIT 1),
    p_list)
$$;

-- The error of a known but unavailable track; `strict` errors are made from templates by their translation.
CREATE OR REPLACE FUNCTION known_error(p_known known, p_errors jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT CASE p_known.outcome
    WHEN 'fact' THEN p_known.fact || CASE WHEN p_known.fact ? 'retryAfterSeconds' AND waits_until IS NOT NULL
      THEN jsonb_build_object('retryAfterSeconds', greatest(1, ceil(extract(epoch FROM waits_until - now())))::integer) ELSE '{}' END
    WHEN 'strict' THEN CASE p_known.translation
      WHEN 'refused' THEN p_errors -> 'refused' || jsonb_build_object(
        'retryAfterSeconds', greatest(1, ceil(extract(epoch FROM coalesce(p_known.expires_at, now()) - now())))::integer)
      ELSE CASE WHEN p_known.expires_at IS NULL THEN p_errors -> 'unavailable' ELSE p_errors -> 'unavailable_until' || jsonb_build_object(
          'message', replace(p_errors -> 'unavailable_until' ->> 'message', '{minute}',
            to_char(p_known.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI'))) END
        || jsonb_build_object('extras', jsonb_build_object('available_languages', to_jsonb(p_known.available))) END
  END
  FROM (SELECT CASE WHEN p_known.fact_retry_at > now() THEN p_known.fact_retry_at ELSE p_known.fact_expires_at END AS waits_until) AS w
$$;
