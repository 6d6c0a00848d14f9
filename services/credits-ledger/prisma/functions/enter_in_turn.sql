-- Locks the accounts one after the other in the order of their ids, and opens those that are touched for the first time.
-- Leaves out what somebody else keeps locked.
CREATE OR REPLACE FUNCTION enter_in_turn(p_ids uuid[], p_now timestamptz)
RETURNS void LANGUAGE plpgsql SET lock_timeout = '300ms' AS $$
DECLARE
  v_id uuid;
BEGIN
  -- Before any account is locked, so that nobody who waits for a new one is waited for.
  INSERT INTO accounts (account_id, created_at)
  SELECT DISTINCT id, p_now FROM unnest(p_ids) AS id ORDER BY id ON CONFLICT DO NOTHING;
  FOR v_id IN SELECT DISTINCT id FROM unnest(p_ids) AS id ORDER BY id LOOP
    PERFORM enter_account(v_id, p_now);
  END LOOP;
END
$$;
