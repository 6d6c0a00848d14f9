-- Gives open fetches of workers that are gone to another one; those, too, whose beginning it never heard of. What had two workers before
-- may be what ends them: such ones are taken one at a time, if p_may_be_suspect, and nothing else with them.
CREATE OR REPLACE FUNCTION adopt_fetches(p_worker_id uuid, p_in_hand uuid[], p_most integer, p_are_suspect boolean)
RETURNS SETOF begun LANGUAGE sql SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  WITH found AS MATERIALIZED (
    SELECT f.id, f.worker_id, f.begun_at FROM fetches AS f
    WHERE f.state = 'open' AND (f.losses >= 2) = p_are_suspect AND CASE f.worker_id
      WHEN p_worker_id THEN f.id <> ALL (p_in_hand) AND f.begun_at < now() - interval '5 seconds'
      ELSE NOT EXISTS (SELECT FROM workers AS w WHERE w.id = f.worker_id AND w.alive_until > now()) END
  ), lost AS (
    -- Whoever has taken one meanwhile is not seen among the workers yet, but in its row.
    SELECT f.id FROM found JOIN fetches AS f USING (id, worker_id, begun_at)
    WHERE f.state = 'open' ORDER BY f.begun_at LIMIT p_most FOR UPDATE OF f SKIP LOCKED
  ), alive AS (
    -- Nobody else takes them over before this worker says so itself.
    INSERT INTO workers (id, alive_until) SELECT p_worker_id, now() + interval '10 seconds' FROM lost LIMIT 1
    ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until
  ), taken AS (
    UPDATE fetches AS f SET worker_id = p_worker_id, losses = f.losses + 1, begun_at = now() FROM lost WHERE f.id = lost.id
    RETURNING f.*
  )
  SELECT t.id, o.account_id, t.video_id::text, t.language, t.fallback, o.format, t.losses, k, tracks_of(t.video_id)
  FROM taken AS t
  LEFT JOIN LATERAL (SELECT * FROM operations WHERE fetch_id = t.id AND state = 'fetching' ORDER BY id LIMIT 1) AS o ON true
  CROSS JOIN LATERAL look(t.video_id, t.language, t.fallback, o.format) AS k
$$;
