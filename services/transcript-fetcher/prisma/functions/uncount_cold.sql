-- Gives one permit back in each scope, in the order in which they were taken, so that no two callers wait for each other.
CREATE OR REPLACE FUNCTION uncount_cold(p_scopes text[], p_day date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_scope text;
BEGIN
  FOREACH v_scope IN ARRAY p_scopes LOOP
    UPDATE cold_counts SET count = count - 1 WHERE scope = v_scope AND day = p_day AND count > 0;
  END LOOP;
END
$$;
