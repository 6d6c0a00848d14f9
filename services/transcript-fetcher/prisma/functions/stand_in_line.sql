-- A line has rows that are ready; they have no turn while the line waits for its job to be accepted. Who enters has its turn before all that were served in the last five seconds, and never below the floors
-- of claims: so leaving the line and coming back wins nothing.
CREATE OR REPLACE FUNCTION stand_in_line(p_line_id uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_line lines;
BEGIN
  UPDATE lines SET in_line = true, turn = CASE WHEN in_line THEN turn ELSE greatest(turn, clock_timestamp() - interval '5 seconds') END
  WHERE id = p_line_id AND NOT waits RETURNING * INTO v_line;
  IF NOT FOUND THEN RETURN; END IF;
  INSERT INTO turns AS t (lane, account_id, turn, in_line)
  VALUES (v_line.lane, v_line.account_id, clock_timestamp() - interval '5 seconds', true)
  ON CONFLICT (lane, account_id) DO UPDATE SET in_line = true, turn = greatest(t.turn, excluded.turn) WHERE NOT t.in_line;
END
$$;
