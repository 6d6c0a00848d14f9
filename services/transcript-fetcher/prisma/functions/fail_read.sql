-- Ends a read that has not begun with an error: the ledger refused it, nobody knows what the ledger did, or its process died. It counts
-- nowhere; p_due, if it is given, is what the ledger is to be told, so that nothing stays held.
CREATE OR REPLACE FUNCTION fail_read(p_id uuid, p_error jsonb, p_scopes text[], p_day date, p_due uuid) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE operations SET state = 'failed', error = p_error, given_back = p_due IS NULL, ended_at = now()
  WHERE id = p_id AND state IN ('opened', 'ready');
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO dues (id, rounds, due_at)
  SELECT p_due, jsonb_build_array(jsonb_build_object('ref', ref, 'lane', lane, 'line_id', NULL, 'account_id', account_id, 'key_id', key_id,
    'charge', '[]'::jsonb, 'give_back', jsonb_build_array(part))), now() + interval '10 seconds'
  FROM operations WHERE id = p_id AND ref IS NOT NULL AND p_due IS NOT NULL;
  PERFORM uncount_cold(p_scopes, p_day, 1);
  RETURN true;
END
$$;
