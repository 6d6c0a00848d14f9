-- Resolves reservations, whose refs lie in the given months. Answers whether all of them were open until now.
CREATE OR REPLACE FUNCTION resolve_open(p_refs text[], p_state text, p_first date, p_last date, p_now timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_count integer;
BEGIN
  UPDATE reservations SET state = p_state, resolved_at = p_now
  WHERE ref = ANY (p_refs) AND ref_month BETWEEN p_first AND p_last AND state = 'open';
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN v_count = cardinality(p_refs);
END
$$;
