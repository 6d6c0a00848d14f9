-- Attaches rows whose turn has come to the open fetches of their tracks, or to new ones of this worker, which are answered with what is
-- known of their tracks by now. A row that has ended meanwhile begins nothing. Lines are told, with the next version of their news.
CREATE OR REPLACE FUNCTION begin_fetches(p_ids uuid[], p_worker_id uuid)
RETURNS SETOF begun LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  v_begun jsonb;
BEGIN
  WITH wanted AS MATERIALIZED (
    SELECT o.id, o.lane, o.line_id, o.account_id, o.video_id, o.language, o.fallback, o.format
    FROM unnest(p_ids) AS asked (id) JOIN operations AS o ON o.id = asked.id AND o.state IN ('opened', 'ready')
    ORDER BY o.id FOR UPDATE OF o
  ), attached AS (
    INSERT INTO fetches (id, lane, video_id, language, fallback, worker_id)
    SELECT DISTINCT ON (video_id, language, fallback) gen_random_uuid(), lane, video_id, language, fallback, p_worker_id
    FROM wanted ORDER BY video_id, language, fallback, lane
    ON CONFLICT (video_id, language, fallback) WHERE state = 'open' DO UPDATE SET video_id = excluded.video_id
    RETURNING id, video_id, language, fallback, fetches.xmax = 0 AS is_new
  ), told AS MATERIALIZED (
    SELECT line_id, next_version(line_id) AS version FROM (
      SELECT DISTINCT line_id FROM wanted JOIN attached USING (video_id, language, fallback) WHERE lane = 1 ORDER BY line_id) AS l
  ), begun AS (
    UPDATE operations AS o SET state = 'fetching', fetch_id = a.id, news = coalesce(t.version, 0)
    FROM wanted AS w JOIN attached AS a USING (video_id, language, fallback) LEFT JOIN told AS t USING (line_id) WHERE o.id = w.id
    RETURNING a.id AS fetch_id, a.is_new, o.id, o.lane, o.account_id, o.video_id, o.language, o.fallback, o.format
  )
  SELECT jsonb_agg(to_jsonb(b)) INTO v_begun FROM (SELECT DISTINCT ON (fetch_id) * FROM begun WHERE is_new ORDER BY fetch_id, id) AS b;
  -- A statement of its own: it sees what those have saved whose fetches have ended just now.
  RETURN QUERY
    SELECT b.fetch_id, b.lane, b.account_id, b.video_id, b.language, b.fallback, b.format, 0::smallint, k, tracks_of(b.video_id)
    FROM jsonb_to_recordset(coalesce(v_begun, '[]')) AS b (
      fetch_id uuid, lane smallint, account_id uuid, video_id text, language text, fallback boolean, format text)
    CROSS JOIN LATERAL look(b.video_id::bpchar, b.language, b.fallback, b.format) AS k;
END
$$;
