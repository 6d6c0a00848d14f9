-- A read whose credit is held and that found no place free: it stands in its account's line of reads.
CREATE OR REPLACE FUNCTION queue_read(p_id uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_account_id uuid;
BEGIN
  SELECT account_id INTO v_account_id FROM operations WHERE id = p_id;
  INSERT INTO lines (id, lane, account_id) VALUES (v_account_id, 0, v_account_id) ON CONFLICT (id) DO NOTHING;
  -- Before the row, as a claim locks them.
  PERFORM stand_in_line(v_account_id);
  UPDATE operations SET state = 'ready', line_id = v_account_id WHERE id = p_id AND state = 'opened';
END
$$;
