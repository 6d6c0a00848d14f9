-- The ledger holds these parts of a round: their rows stand in line. The others had no effect: they go, and count nowhere. Answers the rows
-- that went. Repeating it, or somebody else having stopped the line meanwhile, changes nothing.
CREATE OR REPLACE FUNCTION hold_rows(p_line_id uuid, p_round uuid, p_held smallint[]) RETURNS SETOF uuid LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_gone uuid[];
BEGIN
  UPDATE lines SET opening = NULL WHERE id = p_line_id AND opening = p_round;
  IF NOT FOUND THEN RETURN; END IF;
  WITH gone AS (
    DELETE FROM operations WHERE line_id = p_line_id AND state = 'ready' AND ref = p_round AND part <> ALL (p_held) RETURNING id
  )
  SELECT array_agg(id) INTO v_gone FROM gone;
  PERFORM uncount_cold(scopes, day, cardinality(v_gone)) FROM rounds WHERE ref = p_round AND cardinality(v_gone) > 0;
  PERFORM stand_in_line(p_line_id);
  RETURN QUERY SELECT unnest(v_gone);
END
$$;
