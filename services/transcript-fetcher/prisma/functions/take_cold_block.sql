-- Takes up to p_wanted permits of a pool at once; answers how many.
CREATE OR REPLACE FUNCTION take_cold_block(p_scope text, p_day date, p_wanted integer, p_most integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_taken integer;
BEGIN
  INSERT INTO cold_counts (scope, day, count) VALUES (p_scope, p_day, 0) ON CONFLICT DO NOTHING;
  SELECT greatest(0, least(p_wanted, p_most - count)) INTO v_taken
  FROM cold_counts WHERE scope = p_scope AND day = p_day FOR UPDATE;
  UPDATE cold_counts SET count = count + v_taken WHERE scope = p_scope AND day = p_day AND v_taken > 0;
  RETURN v_taken;
END
$$;
