-- Gives turns: to accounts, least recently served first, and within each to its lines, up to the places that are free. It looks from a
-- floor on, which each process keeps five seconds below the first turn that it saw, so that it does not read what old snapshots keep.
CREATE OR REPLACE FUNCTION claim_rows(p_worker_id uuid, p_lane smallint, p_places integer, p_floor timestamptz)
RETURNS TABLE (begun jsonb, first_turn timestamptz, rows integer) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  v_accounts uuid[];
  v_first timestamptz;
  v_lines uuid[];
  v_shares integer[];
  v_ids uuid[];
  v_served uuid[];
  v_busy uuid[];
  v_now timestamptz := clock_timestamp();
BEGIN
  SELECT coalesce(array_agg(account_id ORDER BY turn), '{}'), min(turn) INTO v_accounts, v_first FROM (
    SELECT account_id, turn FROM turns WHERE lane = p_lane AND in_line AND turn >= p_floor
    ORDER BY turn LIMIT p_places FOR UPDATE SKIP LOCKED) AS next;
  IF cardinality(v_accounts) = 0 THEN RETURN; END IF;
  -- Exactly the places that there are: what does not divide goes to those whose turn comes first.
  SELECT coalesce(array_agg(id), '{}'), coalesce(array_agg(share / siblings + (rank <= share % siblings)::integer), '{}')
  INTO v_lines, v_shares
  FROM (
    SELECT l.id, a.share, row_number() OVER (PARTITION BY a.n ORDER BY l.turn) AS rank, count(*) OVER (PARTITION BY a.n)::integer AS siblings
    FROM (
      SELECT account_id, n, p_places / cardinality(v_accounts) + (n <= p_places % cardinality(v_accounts))::integer AS share
      FROM unnest(v_accounts) WITH ORDINALITY AS given (account_id, n)) AS a
    CROSS JOIN LATERAL (
      SELECT id, turn FROM lines WHERE account_id = a.account_id AND lane = p_lane AND in_line
      ORDER BY turn LIMIT a.share FOR UPDATE SKIP LOCKED) AS l) AS of_accounts;
  SELECT coalesce(array_agg(r.id), '{}'), coalesce(array_agg(DISTINCT r.line_id) FILTER (WHERE r.is_full), '{}') INTO v_ids, v_served
  FROM unnest(v_lines, v_shares) AS share (id, most)
  JOIN lines AS l ON l.id = share.id
  CROSS JOIN LATERAL (
    SELECT o.id, o.line_id, count(*) OVER () = share.most AS is_full FROM (
      SELECT id, line_id FROM operations
      WHERE line_id = l.id AND state = 'ready' AND (l.opening IS NULL OR ref IS DISTINCT FROM l.opening)
      ORDER BY position LIMIT share.most FOR UPDATE) AS o) AS r;
  -- What had fewer rows than its share has no more: whoever readies another one waits for this row and puts it back in line.
  UPDATE lines SET turn = v_now, in_line = id = ANY (v_served) WHERE id = ANY (v_lines);
  v_busy := ARRAY(SELECT account_id FROM unnest(v_accounts) AS a (account_id) WHERE EXISTS (
    SELECT FROM lines AS l WHERE l.account_id = a.account_id AND l.lane = p_lane AND l.in_line OFFSET 0));
  UPDATE turns SET turn = v_now, in_line = account_id = ANY (v_busy) WHERE lane = p_lane AND account_id = ANY (v_accounts);
  RETURN QUERY
    SELECT (SELECT coalesce(jsonb_agg(to_jsonb(b)), '[]') FROM begin_fetches(v_ids, p_worker_id) AS b), v_first, cardinality(v_ids);
END
$$;
