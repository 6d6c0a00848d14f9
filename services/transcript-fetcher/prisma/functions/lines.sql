-- Ends all rows of a line that have not begun, saves the settlement p_settlement for their credits, and takes them out of the day's counts. Rows that
-- have begun continue. `stopped` is final: before its first row it is a tombstone.
CREATE OR REPLACE FUNCTION halt_line(p_line_id uuid, p_account_id uuid, p_state text, p_settlement uuid)
RETURNS TABLE (version bigint, settlement jsonb) LANGUAGE plpgsql
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
    UPDATE operations SET state = 'cancelled', change_version = halt_line.version, ended_at = now() WHERE line_id = p_line_id AND state = 'ready'
    RETURNING ref, part, key_id
  )
  INSERT INTO settlements (id, rounds, due_at)
  SELECT p_settlement, jsonb_agg(jsonb_build_object('ref', ref, 'lane', 1, 'line_id', p_line_id, 'account_id', p_account_id, 'key_id', key_id,
    'charge', '[]'::jsonb, 'release', parts)), now() + interval '10 seconds'
  FROM (
    SELECT ref, min(key_id::text) AS key_id, jsonb_agg(part) AS parts FROM ended WHERE ref IS NOT NULL GROUP BY ref) AS r
  HAVING count(*) > 0
  RETURNING rounds INTO settlement;
  RETURN NEXT;
END
$$;

-- The job of this line no longer exists: refunds the charges of its rows.
CREATE OR REPLACE FUNCTION disown_line(p_line_id uuid, p_account_id uuid, p_settlement uuid) RETURNS void LANGUAGE sql AS $$
  WITH voided AS (
    UPDATE operations SET charge = 0, disowned_at = now()
    WHERE line_id = p_line_id AND lane = 1 AND account_id = p_account_id AND disowned_at IS NULL
    RETURNING ref, part, key_id, state
  )
  INSERT INTO settlements (id, rounds, due_at)
  SELECT p_settlement, jsonb_agg(jsonb_build_object('ref', ref, 'lane', 1, 'line_id', p_line_id, 'account_id', p_account_id, 'key_id', key_id,
    'charge', '[]'::jsonb, 'release', parts)), now() + interval '10 seconds'
  FROM (
    SELECT ref, min(key_id::text) AS key_id, jsonb_agg(part) AS parts FROM voided
    WHERE ref IS NOT NULL AND state = 'delivered' GROUP BY ref) AS r
  HAVING count(*) > 0
$$;

-- Puts the rows of held parts in line, deletes the others of the round and takes them out of the day's counts. Returns which of the rows
-- do not exist. A repeat changes nothing and returns the same.
CREATE OR REPLACE FUNCTION hold_rows(p_line_id uuid, p_round uuid, p_held smallint[], p_rows uuid[])
RETURNS SETOF uuid LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_gone bigint;
BEGIN
  UPDATE lines SET opening = NULL WHERE id = p_line_id AND opening = p_round;
  IF FOUND THEN
    WITH gone AS (
      DELETE FROM operations WHERE line_id = p_line_id AND state = 'ready' AND ref = p_round AND part <> ALL (p_held) RETURNING id
    )
    SELECT count(*) INTO v_gone FROM gone;
    PERFORM uncount_cold(scopes, day, v_gone::integer) FROM rounds WHERE ref = p_round AND v_gone > 0;
    PERFORM stand_in_line(p_line_id);
  END IF;
  RETURN QUERY SELECT r.id FROM unnest(p_rows) AS r (id) WHERE NOT EXISTS (SELECT FROM operations AS o WHERE o.id = r.id);
END
$$;

-- Queues cached rows of a job whose cues are lost, for a fetch that costs nothing. Their credits were released at their end.
CREATE OR REPLACE FUNCTION reopen_rows(p_line_id uuid, p_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM lines WHERE id = p_line_id AND state = 'open' FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE operations SET state = 'ready', price = 0, ref = NULL, part = NULL, transcript_id = NULL, is_fallback = NULL, translation = NULL,
    ended_at = NULL, change_version = 0
  WHERE id = ANY (p_ids) AND line_id = p_line_id AND state = 'delivered' AND charge = 0;
  PERFORM stand_in_line(p_line_id);
END
$$;

-- Assigns the report of a read's charge to one request; a repeat of it gets it again, a disowned request never.
CREATE OR REPLACE FUNCTION claim_charge_report(p_id uuid, p_request_id text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_request(p_request_id);
  IF p_request_id ~ '^[0-9a-f-]{36}$' AND EXISTS (
    SELECT FROM operations AS d WHERE d.id = p_request_id::uuid AND d.disowned_at IS NOT NULL
  ) THEN RETURN false; END IF;
  UPDATE operations SET told_to = p_request_id
  WHERE id = p_id AND charge > 0 AND (told_to IS NULL OR told_to = p_request_id);
  RETURN FOUND;
END
$$;
