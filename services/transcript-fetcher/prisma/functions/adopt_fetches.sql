-- Gives open fetches of workers that are gone to another one, with the places that they hold; those, too, whose beginning it never heard
-- of. What had two workers that fell silent may be what ends them: such ones are taken one at a time, if p_are_suspect, and nothing else
-- with them. What a worker has left in order (no worker_id) has lost none.
CREATE OR REPLACE FUNCTION adopt_fetches(p_worker_id uuid, p_in_hand uuid[], p_most integer, p_are_suspect boolean)
RETURNS SETOF begun LANGUAGE sql SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  SELECT pg_advisory_xact_lock(7221, 0);
  WITH found AS MATERIALIZED (
    SELECT f.id, f.worker_id, f.begun_at FROM fetches AS f
    WHERE f.state = 'open' AND (f.losses >= 2) = p_are_suspect AND CASE f.worker_id
      WHEN p_worker_id THEN f.id <> ALL (p_in_hand) AND f.begun_at < now() - interval '5 seconds'
      ELSE NOT EXISTS (SELECT FROM workers AS w WHERE w.id = f.worker_id AND w.alive_until > now()) END
  ), lost AS (
    -- Whoever has taken one meanwhile is not seen among the workers yet, but in its row.
    SELECT f.id, f.lane FROM found JOIN fetches AS f USING (id, begun_at)
    WHERE f.state = 'open' AND f.worker_id IS NOT DISTINCT FROM found.worker_id ORDER BY f.begun_at LIMIT p_most FOR UPDATE OF f SKIP LOCKED
  ), alive AS (
    -- Nobody else takes them over before this worker says so itself.
    INSERT INTO workers AS w (id, alive_until, places)
    SELECT p_worker_id, clock_timestamp() + interval '10 seconds', ARRAY[count(*) FILTER (WHERE lane = 0), count(*) FILTER (WHERE lane = 1)]
    FROM lost HAVING count(*) > 0
    ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until,
      places = ARRAY[w.places[1] + excluded.places[1], w.places[2] + excluded.places[2]]
  ), taken AS (
    UPDATE fetches AS f SET worker_id = p_worker_id, losses = f.losses + (f.worker_id IS NOT NULL)::integer, begun_at = now() FROM lost WHERE f.id = lost.id
    RETURNING f.*
  )
  SELECT t.id, t.lane, o.account_id, t.video_id::text, t.language, t.fallback, o.format, t.losses, k, tracks_of(t.video_id)
  FROM taken AS t
  LEFT JOIN LATERAL (SELECT * FROM operations WHERE fetch_id = t.id AND state = 'fetching' ORDER BY id LIMIT 1) AS o ON true
  CROSS JOIN LATERAL look(t.video_id, t.language, t.fallback, o.format) AS k
$$;
