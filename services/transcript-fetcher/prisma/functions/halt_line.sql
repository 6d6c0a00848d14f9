-- Ends all rows of a line that have not begun, and saves as the due p_due that their credits are to be given back; they count nowhere. What
-- has begun goes on. `stopped` is for ever: before its first row it is a tombstone.
CREATE OR REPLACE FUNCTION halt_line(p_line_id uuid, p_account_id uuid, p_state text, p_due uuid)
RETURNS TABLE (version bigint, due jsonb) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off AS $$
BEGIN
  INSERT INTO lines AS l (id, lane, account_id, state) VALUES (p_line_id, 1, p_account_id, p_state)
  ON CONFLICT (id) DO UPDATE SET in_line = false, opening = NULL,
    state = CASE l.state WHEN 'stopped' THEN 'stopped' ELSE excluded.state END
  WHERE l.account_id = p_account_id AND l.lane = 1;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM id FROM operations WHERE line_id = p_line_id AND state = 'ready' ORDER BY id FOR UPDATE;
  PERFORM uncount_cold(r.scopes, r.day, n::integer)
  FROM (SELECT ref, count(*) AS n FROM operations WHERE line_id = p_line_id AND state = 'ready' GROUP BY ref ORDER BY ref) AS o
  JOIN rounds AS r ON r.ref = o.ref;
  version := next_version(p_line_id);
  WITH ended AS (
    UPDATE operations SET state = 'cancelled', news = halt_line.version, ended_at = now() WHERE line_id = p_line_id AND state = 'ready'
    RETURNING ref, part, key_id
  )
  INSERT INTO dues (id, rounds, due_at)
  SELECT p_due, jsonb_agg(jsonb_build_object('ref', ref, 'lane', 1, 'line_id', p_line_id, 'account_id', p_account_id, 'key_id', key_id,
    'charge', '[]'::jsonb, 'give_back', parts)), now() + interval '10 seconds'
  FROM (
    SELECT ref, min(key_id::text) AS key_id, jsonb_agg(part) AS parts FROM ended WHERE ref IS NOT NULL GROUP BY ref) AS r
  HAVING count(*) > 0
  RETURNING rounds INTO due;
  RETURN NEXT;
END
$$;
