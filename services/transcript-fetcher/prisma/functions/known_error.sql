-- Why a track that is known about cannot be had, as an error of the API; `strict` ones are made of templates by their translation.
CREATE OR REPLACE FUNCTION known_error(p_known known, p_errors jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT CASE p_known.outcome
    WHEN 'fact' THEN p_known.fact || CASE WHEN p_known.fact ? 'retryAfterSeconds' AND waits_until IS NOT NULL
      THEN jsonb_build_object('retryAfterSeconds', greatest(1, ceil(extract(epoch FROM waits_until - now())))::integer) ELSE '{}' END
    WHEN 'strict' THEN CASE p_known.translation
      WHEN 'refused' THEN p_errors -> 'refused' || jsonb_build_object(
        'retryAfterSeconds', greatest(1, ceil(extract(epoch FROM coalesce(p_known.expires_at, now()) - now())))::integer)
      ELSE p_errors -> 'unavailable' || jsonb_build_object(
        'extras', jsonb_build_object('available_languages', to_jsonb(p_known.available))) END
  END
  FROM (SELECT CASE WHEN p_known.fact_retry_at > now() THEN p_known.fact_retry_at ELSE p_known.fact_expires_at END AS waits_until) AS w
$$;
