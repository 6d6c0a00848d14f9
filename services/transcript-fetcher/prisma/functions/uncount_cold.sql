-- Takes back that cold fetches were counted which have not begun.
CREATE OR REPLACE FUNCTION uncount_cold(p_scopes text[], p_day date, p_count integer) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
DECLARE
  v_scope text;
BEGIN
  -- One by one, in the order in which they were counted.
  FOREACH v_scope IN ARRAY p_scopes LOOP
    UPDATE cold_counts SET count = greatest(0, count - p_count) WHERE scope = v_scope AND day = p_day;
  END LOOP;
END
$$;
