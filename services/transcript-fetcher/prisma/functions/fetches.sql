-- Attaches rows whose turn has come to open fetches of their tracks, or to new ones of this worker, which are returned with the cache's
-- answer for their tracks. Skips rows that have ended meanwhile. Batches get a new version of their changes.
CREATE OR REPLACE FUNCTION begin_fetches(p_ids uuid[], p_worker_id uuid)
RETURNS SETOF begun LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  v_begun jsonb;
BEGIN
  WITH wanted AS MATERIALIZED (
    SELECT o.id, o.priority, o.batch_id, o.account_id, o.video_id, o.language, o.fallback, o.format
    FROM unnest(p_ids) AS asked (id) JOIN operations AS o ON o.id = asked.id AND o.state IN ('opened', 'ready')
    ORDER BY o.id FOR UPDATE OF o
  ), attached AS (
    INSERT INTO fetches (id, priority, video_id, language, fallback, worker_id)
    SELECT DISTINCT ON (video_id, language, fallback) gen_random_uuid(), priority, video_id, language, fallback, p_worker_id
    FROM wanted ORDER BY video_id, language, fallback, priority
    ON CONFLICT (video_id, language, fallback) WHERE state = 'open' DO UPDATE SET video_id = excluded.video_id
    RETURNING id, video_id, language, fallback, fetches.xmax = 0 AS is_new
  ), versioned AS MATERIALIZED (
    SELECT batch_id, next_version(batch_id) AS version FROM (
      SELECT DISTINCT batch_id FROM wanted JOIN attached USING (video_id, language, fallback) WHERE priority = 'jobs' ORDER BY batch_id) AS l
  ), begun AS (
    UPDATE operations AS o SET state = 'fetching', fetch_id = a.id, change_version = coalesce(t.version, 0)
    FROM wanted AS w JOIN attached AS a USING (video_id, language, fallback) LEFT JOIN versioned AS t USING (batch_id) WHERE o.id = w.id
    RETURNING a.id AS fetch_id, a.is_new, o.id, o.priority, o.account_id, o.video_id, o.language, o.fallback, o.format
  )
  SELECT jsonb_agg(to_jsonb(b)) INTO v_begun FROM (SELECT DISTINCT ON (fetch_id) * FROM begun WHERE is_new ORDER BY fetch_id, id) AS b;
  -- A separate statement, so that it sees fetches that have ended just now.
  RETURN QUERY
    SELECT b.fetch_id, b.priority, b.account_id, b.video_id, b.language, b.fallback, b.format, 0::smallint, r.known, r.tracks
    FROM jsonb_to_recordset(coalesce(v_begun, '[]')) AS b (
      fetch_id uuid, priority priority, account_id uuid, video_id text, language text, fallback boolean, format text)
    CROSS JOIN LATERAL look(b.video_id::bpchar, b.language, b.fallback, b.format) AS k
    CROSS JOIN LATERAL known_to_fetch(b.fetch_id, b.video_id, k) AS r;
END
$$;

-- Gives open fetches of dead workers to another one, with their slots; also the worker's own whose start it never learnt of. A fetch with
-- which two workers died may have killed them: such fetches are taken alone, one at a time, if p_are_suspect. A fetch that a worker
-- released in order (no worker_id) counts no death.
CREATE OR REPLACE FUNCTION adopt_fetches(p_worker_id uuid, p_in_hand uuid[], p_most integer, p_are_suspect boolean)
RETURNS SETOF begun LANGUAGE sql SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  SELECT pg_advisory_xact_lock(7221, 0);
  WITH found AS MATERIALIZED (
    SELECT f.id, f.worker_id, f.begun_at FROM fetches AS f
    WHERE f.state = 'open' AND (f.losses >= 2) = p_are_suspect AND CASE f.worker_id
      WHEN p_worker_id THEN f.id <> ALL (p_in_hand) AND f.begun_at < now() - interval '5 seconds'
      ELSE NOT EXISTS (SELECT FROM workers AS w WHERE w.id = f.worker_id AND w.alive_until > now()) END
  ), lost AS (
    -- A worker that took one meanwhile is not visible among the workers yet, but is in the row.
    SELECT f.id, f.priority FROM found JOIN fetches AS f USING (id, begun_at)
    WHERE f.state = 'open' AND f.worker_id IS NOT DISTINCT FROM found.worker_id ORDER BY f.begun_at LIMIT p_most FOR UPDATE OF f SKIP LOCKED
  ), alive AS (
    -- No other worker takes them over before this worker's own heartbeat.
    INSERT INTO workers AS w (id, alive_until, slots)
    SELECT p_worker_id, clock_timestamp() + interval '10 seconds', jsonb_build_object(
      'reads', count(*) FILTER (WHERE priority = 'reads'), 'jobs', count(*) FILTER (WHERE priority = 'jobs'))
    FROM lost HAVING count(*) > 0
    ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until, slots = (
      SELECT jsonb_object_agg(priority, n::integer + (w.slots ->> priority)::integer) FROM jsonb_each_text(excluded.slots) AS more (priority, n))
  ), taken AS (
    UPDATE fetches AS f SET worker_id = p_worker_id, losses = f.losses + (f.worker_id IS NOT NULL)::integer, begun_at = now() FROM lost WHERE f.id = lost.id
    RETURNING f.*
  )
  SELECT t.id, t.priority, o.account_id, t.video_id::text, t.language, t.fallback, o.format, t.losses, r.known, r.tracks
  FROM taken AS t
  LEFT JOIN LATERAL (SELECT * FROM operations WHERE fetch_id = t.id AND state = 'fetching' ORDER BY id LIMIT 1) AS o ON true
  CROSS JOIN LATERAL look(t.video_id, t.language, t.fallback, o.format) AS k
  CROSS JOIN LATERAL known_to_fetch(t.id, t.video_id, k) AS r
$$;

-- What a fetch is given of the cache. One that a refresh waits for reads captions anew: it gets no tracks, and what is kept as `refresh`.
CREATE OR REPLACE FUNCTION known_to_fetch(p_fetch_id uuid, p_video_id text, p_known known, OUT known known, OUT tracks jsonb)
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN is_refresh THEN jsonb_populate_record(p_known, '{"outcome": "refresh"}') ELSE p_known END,
    CASE WHEN is_refresh THEN '[]' ELSE tracks_of(p_video_id) END
  FROM (SELECT EXISTS (SELECT FROM operations WHERE fetch_id = p_fetch_id AND refresh IS NOT NULL) AS is_refresh) AS of
$$;

-- Gives turns to accounts, least recently served first, and within each to its batches, up to the free slots.
CREATE OR REPLACE FUNCTION claim_rows(p_worker_id uuid, p_priority priority, p_slots integer)
RETURNS TABLE (begun jsonb, rows integer) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  v_accounts uuid[];
  v_batches uuid[];
  v_shares integer[];
  v_ids uuid[];
  v_served uuid[];
  v_busy uuid[];
  v_now timestamptz := clock_timestamp();
BEGIN
  SELECT coalesce(array_agg(account_id ORDER BY turn), '{}') INTO v_accounts FROM (
    SELECT account_id, turn FROM turns WHERE priority = p_priority AND is_queued
    ORDER BY turn LIMIT p_slots FOR UPDATE SKIP LOCKED) AS next;
  IF cardinality(v_accounts) = 0 THEN
    -- No row: nothing waits. A row without rows of jobs: other workers are claiming all that waits.
    RETURN QUERY SELECT '[]'::jsonb, 0 FROM turns WHERE priority = p_priority AND is_queued ORDER BY turn LIMIT 1;
    RETURN;
  END IF;
  -- Uses exactly the free slots: the remainder of the division goes to the first turns.
  SELECT coalesce(array_agg(id), '{}'), coalesce(array_agg(share / siblings + (rank <= share % siblings)::integer), '{}')
  INTO v_batches, v_shares
  FROM (
    SELECT l.id, a.share, row_number() OVER (PARTITION BY a.n ORDER BY l.turn) AS rank, count(*) OVER (PARTITION BY a.n)::integer AS siblings
    FROM (
      SELECT account_id, n, p_slots / cardinality(v_accounts) + (n <= p_slots % cardinality(v_accounts))::integer AS share
      FROM unnest(v_accounts) WITH ORDINALITY AS given (account_id, n)) AS a
    CROSS JOIN LATERAL (
      SELECT id, turn FROM batches WHERE account_id = a.account_id AND priority = p_priority AND is_queued
      ORDER BY turn LIMIT a.share FOR UPDATE SKIP LOCKED) AS l) AS of_accounts;
  SELECT coalesce(array_agg(r.id), '{}'), coalesce(array_agg(DISTINCT r.batch_id) FILTER (WHERE r.is_full), '{}') INTO v_ids, v_served
  FROM unnest(v_batches, v_shares) AS share (id, most)
  JOIN batches AS l ON l.id = share.id
  CROSS JOIN LATERAL (
    SELECT o.id, o.batch_id, count(*) OVER () = share.most AS is_full FROM (
      SELECT id, batch_id FROM operations
      WHERE batch_id = l.id AND state = 'ready' AND (l.opening IS NULL OR ref IS DISTINCT FROM l.opening)
      ORDER BY position LIMIT share.most FOR UPDATE) AS o) AS r;
  -- A batch with fewer rows than its share is empty: a writer that adds a row waits for this lock and puts the batch back.
  UPDATE batches SET turn = v_now, is_queued = id = ANY (v_served) WHERE id = ANY (v_batches);
  v_busy := ARRAY(SELECT account_id FROM unnest(v_accounts) AS a (account_id) WHERE EXISTS (
    SELECT FROM batches AS l WHERE l.account_id = a.account_id AND l.priority = p_priority AND l.is_queued OFFSET 0));
  UPDATE turns SET turn = v_now, is_queued = account_id = ANY (v_busy) WHERE priority = p_priority AND account_id = ANY (v_accounts);
  RETURN QUERY
    SELECT (SELECT coalesce(jsonb_agg(to_jsonb(b)), '[]') FROM begin_fetches(v_ids, p_worker_id) AS b), cardinality(v_ids);
END
$$;

-- Puts a batch with ready rows in the queue; its rows have no turn until its job is accepted. A new entry comes before all that were served in
-- the last five seconds, but not before its own last turn: so leaving the batch and coming back gains nothing.
CREATE OR REPLACE FUNCTION queue_batch(p_batch_id uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_batch batches;
BEGIN
  UPDATE batches SET is_queued = true, turn = CASE WHEN is_queued THEN turn ELSE greatest(turn, clock_timestamp() - interval '5 seconds') END
  WHERE id = p_batch_id AND NOT waits RETURNING * INTO v_batch;
  IF NOT FOUND THEN RETURN; END IF;
  INSERT INTO turns AS t (priority, account_id, turn, is_queued)
  VALUES (v_batch.priority, v_batch.account_id, clock_timestamp() - interval '5 seconds', true)
  ON CONFLICT (priority, account_id) DO UPDATE SET is_queued = true, turn = greatest(t.turn, excluded.turn) WHERE NOT t.is_queued;
END
$$;

-- The heartbeat of a worker: gives it slots per priority, {reads, jobs}, at most a fair share of all, and never more than the others leave.
-- Runs one at a time, so that all workers together never hold more than there are. Slots it still uses (p_kept) stay held until its next
-- heartbeat, and fetches of dead workers hold their slots until they are taken over. Its own open fetches do not count: one whose end is
-- being saved has left its slot.
CREATE OR REPLACE FUNCTION acquire_slots(p_worker_id uuid, p_kept jsonb, p_wanted jsonb, p_all jsonb) RETURNS jsonb
LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  v_given jsonb;
  v_held jsonb;
  v_now timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(7221, 0);
  v_now := clock_timestamp();
  WITH others AS MATERIALIZED (
    SELECT id, slots FROM workers WHERE id <> p_worker_id AND alive_until > v_now
  ), open AS MATERIALIZED (
    SELECT f.priority::text, count(*) AS left_behind FROM fetches AS f
    WHERE f.state = 'open' AND f.worker_id IS DISTINCT FROM p_worker_id AND NOT EXISTS (SELECT FROM others AS o WHERE o.id = f.worker_id)
    GROUP BY f.priority
  ), given AS (
    SELECT priority, greatest(0, least((p_wanted ->> priority)::integer, ceil(n::numeric / (1 + (SELECT count(*) FROM others)))::integer,
      n::integer - coalesce((SELECT sum((o.slots ->> priority)::integer) FROM others AS o), 0) - coalesce(left_behind, 0)))::integer AS slots
    FROM jsonb_each_text(p_all) AS of_all (priority, n) LEFT JOIN open USING (priority)
  )
  SELECT jsonb_object_agg(priority, slots), jsonb_object_agg(priority, greatest(slots, (p_kept ->> priority)::integer))
  INTO v_given, v_held FROM given;
  INSERT INTO workers (id, alive_until, slots) VALUES (p_worker_id, v_now + interval '10 seconds', v_held)
  ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until, slots = excluded.slots;
  RETURN v_given;
END
$$;
