-- Says that a worker lives, and gives it places in which fetches run, of each lane: a fair share of all at most, and never more than others
-- leave. One at a time, so that all workers together never hold more than there are. What it may still use (p_kept) stays held until its
-- next sign, and fetches of workers that are gone hold their places until somebody has them.
CREATE OR REPLACE FUNCTION take_places(p_worker_id uuid, p_kept integer[], p_wanted integer[], p_all integer[]) RETURNS integer[]
LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  v_given integer[];
  v_held integer[];
  v_now timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(7221, 0);
  v_now := clock_timestamp();
  WITH others AS MATERIALIZED (
    SELECT id, places FROM workers WHERE id <> p_worker_id AND alive_until > v_now
  ), open AS MATERIALIZED (
    SELECT f.lane, count(*) FILTER (WHERE f.worker_id = p_worker_id) AS own, count(*) FILTER (
      WHERE f.worker_id IS DISTINCT FROM p_worker_id AND NOT EXISTS (SELECT FROM others AS o WHERE o.id = f.worker_id)) AS left_behind
    FROM fetches AS f WHERE f.state = 'open' GROUP BY f.lane
  ), given AS (
    SELECT n, greatest(0, least(p_wanted[n], ceil(p_all[n]::numeric / (1 + (SELECT count(*) FROM others)))::integer,
      p_all[n] - coalesce((SELECT sum(o.places[n]) FROM others AS o), 0) - coalesce(open.left_behind, 0)))::integer AS places,
      coalesce(open.own, 0)::integer AS own
    FROM generate_subscripts(p_all, 1) AS n LEFT JOIN open ON open.lane = n - 1
  )
  SELECT array_agg(places ORDER BY n), array_agg(greatest(places, p_kept[n], own) ORDER BY n) INTO v_given, v_held FROM given;
  INSERT INTO workers (id, alive_until, places) VALUES (p_worker_id, v_now + interval '10 seconds', v_held)
  ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until, places = excluded.places;
  RETURN v_given;
END
$$;
