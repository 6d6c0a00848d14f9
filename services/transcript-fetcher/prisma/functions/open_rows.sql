-- Opens rows of one request: a read by `open_reads`, or up to 500 rows of a job by `open_job_rows`. Returns an existing row (by id, or for a
-- read the account's open read of the track) as it is. A known row of a job ends at once; a reader queries the cache instead. Cold rows are
-- counted for the day, in their order as far as every scope has room, and opened for the request's reservation: they begin when their credits
-- are held. Rows of price 0, which were paid for or are lost, are not counted and need no credit.
--
-- The request: {priority, batch_id, is_accepted, account_id, key_id, language, fallback, format, refresh, reservation, day, scopes, errors,
-- rows: [{id, position, video_id, price, is_lost}]}. Returns for each row: `state` of its operation, or `known`, or `refused`; `reservation`,
-- whose credits are not held yet. It may be the reservation of an earlier unfinished call; then rows of that call are returned too.
CREATE OR REPLACE FUNCTION open_reads(p_request jsonb)
RETURNS TABLE (row_id uuid, state text, operation_id uuid, reservation uuid, item smallint, full_scope text) LANGUAGE plpgsql
-- A connection plans each statement once, perhaps while the tables are empty: these plans stay right when they grow, before an ANALYZE.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  v_head operations := jsonb_populate_record(NULL::operations, p_request - 'rows');
  v_rows opened_row[];
  v_counted record;
BEGIN
  v_rows := find_rows(p_request, v_head);
  v_counted := count_cold_rows(p_request, v_rows);
  PERFORM insert_rows(p_request, v_head, v_rows, v_counted.room, 0);
  RETURN QUERY SELECT * FROM opened_rows(v_rows, v_counted.full_scope);
END
$$;

-- Rows of a job that is not accepted yet are not queued until they are opened again as accepted.
CREATE OR REPLACE FUNCTION open_job_rows(p_request jsonb)
RETURNS TABLE (row_id uuid, state text, operation_id uuid, reservation uuid, item smallint, full_scope text) LANGUAGE plpgsql
-- A connection plans each statement once, perhaps while the tables are empty: these plans stay right when they grow, before an ANALYZE.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  v_head operations := jsonb_populate_record(NULL::operations, p_request - 'rows');
  v_reservation uuid := p_request ->> 'reservation';
  v_batch batches;
  v_rows opened_row[];
  v_counted record;
BEGIN
  INSERT INTO batches AS l (id, priority, account_id, waits)
  VALUES (v_head.batch_id, 'jobs', v_head.account_id, coalesce(p_request -> 'is_accepted' = 'false', false))
  ON CONFLICT (id) DO UPDATE SET state = CASE l.state WHEN 'stopped' THEN 'stopped' ELSE 'open' END, waits = l.waits AND excluded.waits
  RETURNING * INTO v_batch;
  IF v_batch.state = 'stopped' OR v_batch.opening IS NOT NULL THEN
    RETURN QUERY SELECT * FROM rows_in_the_way(p_request, v_batch);
    RETURN;
  END IF;

  v_rows := find_rows(p_request, v_head);
  v_counted := count_cold_rows(p_request, v_rows);
  IF v_counted.room > 0 THEN
    INSERT INTO reservations (ref, batch_id, day, scopes)
    SELECT v_reservation, v_head.batch_id, (p_request ->> 'day')::date, array_agg(scope ->> 'name' ORDER BY n)
    FROM jsonb_array_elements(p_request -> 'scopes') WITH ORDINALITY AS given (scope, n);
    UPDATE batches SET opening = v_reservation WHERE id = v_head.batch_id;
  END IF;
  PERFORM insert_rows(p_request, v_head, v_rows, v_counted.room, next_version(v_head.batch_id));
  -- Of known rows; a row that another call has opened is received by that call.
  PERFORM save_received((
    SELECT jsonb_agg(jsonb_build_object(
      'account_id', v_head.account_id, 'transcript_id', (r.known).transcript_id, 'job_id', v_head.batch_id))
    FROM unnest(v_rows) AS r WHERE r.operation_id IS NULL AND r.state = 'known' AND (r.known).outcome = 'delivered'));
  RETURN QUERY SELECT * FROM opened_rows(v_rows, v_counted.full_scope);
END
$$;

-- What a stopped batch, or one with an unfinished call, answers.
CREATE OR REPLACE FUNCTION rows_in_the_way(p_request jsonb, p_batch batches)
RETURNS TABLE (row_id uuid, state text, operation_id uuid, reservation uuid, item smallint, full_scope text) LANGUAGE sql STABLE AS $$
  SELECT g.id, coalesce(o.state, 'refused'), o.id, CASE WHEN o.state = 'ready' AND o.ref = p_batch.opening THEN o.ref END,
    o.item, CASE WHEN p_batch.state = 'stopped' THEN 'stopped' ELSE 'opening' END
  FROM jsonb_to_recordset(p_request -> 'rows') AS g (id uuid) LEFT JOIN operations AS o ON o.id = g.id
  UNION ALL
  -- Rows of the unfinished call: the caller that finds them finishes their reservation.
  SELECT o.id, o.state, o.id, o.ref, o.item, NULL FROM operations AS o
  WHERE o.batch_id = p_batch.id AND o.state = 'ready' AND o.ref = p_batch.opening
    AND NOT EXISTS (SELECT FROM jsonb_to_recordset(p_request -> 'rows') AS g (id uuid) WHERE g.id = o.id)
$$;

-- Existing rows, and the cache's answers without what only a reader needs: details of 500 videos take half a second to copy.
CREATE OR REPLACE FUNCTION find_rows(p_request jsonb, p_head operations) RETURNS opened_row[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_rows opened_row[];
BEGIN
  SELECT array_agg((
    g.id, g.position, g.video_id, CASE WHEN g.is_lost THEN 0 ELSE coalesce(g.price, 1) END,
    coalesce(o.state, CASE WHEN g.is_lost OR p_head.refresh IS NOT NULL OR k.outcome IS NULL THEN 'cold' ELSE 'known' END), o.id,
    CASE WHEN p_head.priority = 'jobs' AND o.id IS NULL THEN (k.outcome, NULL, NULL, NULL, NULL, NULL, k.fact, k.fact_expires_at, k.fact_retry_at,
      k.is_fallback, k.translation, k.available, k.expires_at, k.transcript_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
      NULL)::known END)::opened_row ORDER BY g.position)
  INTO v_rows
  FROM jsonb_to_recordset(p_request -> 'rows') AS g (id uuid, position smallint, video_id char(11), price integer, is_lost boolean)
  LEFT JOIN LATERAL (
    SELECT e.id, e.state FROM operations AS e WHERE e.id = g.id
    UNION ALL
    SELECT e.id, e.state FROM operations AS e
    WHERE p_head.priority = 'reads' AND e.priority = 'reads' AND e.state IN ('opened', 'ready', 'fetching')
      AND e.account_id = p_head.account_id AND e.video_id = g.video_id AND e.language = p_head.language AND e.fallback = p_head.fallback
    UNION ALL
    SELECT e.id, e.state FROM operations AS e
    WHERE e.refresh = p_head.refresh AND e.account_id = p_head.account_id AND e.key_id = p_head.key_id AND e.state = 'delivered'
      AND e.video_id = g.video_id AND e.language = p_head.language AND e.fallback = p_head.fallback
    LIMIT 1) AS o ON true
  CROSS JOIN LATERAL look(g.video_id, p_head.language, p_head.fallback, p_head.format) AS k;
  RETURN v_rows;
END
$$;

-- For how many of the rows that cost something every scope of the day has room, and the scope that is full.
CREATE OR REPLACE FUNCTION count_cold_rows(p_request jsonb, p_rows opened_row[], OUT room integer, OUT full_scope text)
LANGUAGE plpgsql AS $$
BEGIN
  SELECT c.counted, c.full_scope INTO room, full_scope FROM count_cold(
    p_request -> 'scopes', (p_request ->> 'day')::date,
    (SELECT count(*)::integer FROM unnest(p_rows) AS r WHERE r.state = 'cold' AND r.price > 0)) AS c;
END
$$;

-- Inserts cold rows, of those that cost something the first p_room, and known rows of a job with the version of their end.
CREATE OR REPLACE FUNCTION insert_rows(
  p_request jsonb, p_head operations, p_rows opened_row[], p_room integer, p_version bigint
) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_inserted integer;
BEGIN
  WITH given AS (
    SELECT r.*, r.state = 'cold' AND r.price > 0 AS is_cold,
      count(*) FILTER (WHERE r.state = 'cold' AND r.price > 0) OVER (ORDER BY r.position) AS nth
    FROM unnest(p_rows) AS r
  ), inserted AS (
    INSERT INTO operations (id, priority, batch_id, position, account_id, key_id, video_id, language, fallback, format, refresh, state, price, ref,
      item, transcript_id, is_fallback, translation, error, change_version, ended_at)
    SELECT g.id, p_head.priority, p_head.batch_id, g.position, p_head.account_id, p_head.key_id, g.video_id, p_head.language,
      p_head.fallback, p_head.format, p_head.refresh,
      CASE WHEN g.state = 'known' THEN CASE (g.known).outcome WHEN 'delivered' THEN 'delivered' ELSE 'failed' END
        WHEN p_head.priority = 'jobs' THEN 'ready' ELSE 'opened' END,
      g.price, CASE WHEN g.is_cold THEN (p_request ->> 'reservation')::uuid END, CASE WHEN g.is_cold THEN g.position + 1 END,
      CASE WHEN g.state = 'known' AND (g.known).outcome = 'delivered' THEN (g.known).transcript_id END,
      CASE WHEN g.state = 'known' THEN (g.known).is_fallback END, CASE WHEN g.state = 'known' THEN (g.known).translation END,
      CASE WHEN g.state = 'known' AND (g.known).outcome <> 'delivered' THEN known_error(g.known, p_request -> 'errors') END,
      CASE WHEN g.state = 'known' THEN p_version ELSE 0 END, CASE WHEN g.state = 'known' THEN now() END
    FROM given AS g
    WHERE g.operation_id IS NULL AND (NOT g.is_cold OR g.nth <= p_room) AND (g.state = 'cold' OR p_head.priority = 'jobs')
    ORDER BY g.video_id ON CONFLICT DO NOTHING RETURNING ref
  )
  SELECT count(ref) INTO v_inserted FROM inserted;
  -- Another call opened one of them meanwhile: roll back and retry.
  IF v_inserted < p_room THEN RAISE EXCEPTION 'opened meanwhile' USING ERRCODE = '40001'; END IF;
END
$$;

-- The rows of a request as they are now.
CREATE OR REPLACE FUNCTION opened_rows(p_rows opened_row[], p_full_scope text)
RETURNS TABLE (row_id uuid, state text, operation_id uuid, reservation uuid, item smallint, full_scope text) LANGUAGE sql STABLE AS $$
  SELECT r.id, CASE WHEN r.operation_id IS NULL AND r.state = 'cold' AND o.id IS NULL THEN 'refused' ELSE coalesce(o.state, r.state) END,
    coalesce(r.operation_id, o.id), CASE WHEN r.operation_id IS NULL THEN o.ref END, o.item, p_full_scope
  FROM unnest(p_rows) AS r
  LEFT JOIN operations AS o ON o.id = coalesce(r.operation_id, r.id) ORDER BY r.position
$$;
