-- The ledger holds these parts of a round: their rows stand in line. The others had no effect: they go, and count nowhere. Answers which
-- of the rows are not there, whoever let them go: repeating it changes nothing and answers the same.
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
