-- The entry that a page counts from: `p_as_of` where it is given, but never one that is not there yet; else, for pages
-- beyond the first, where this reader's latest reading of the last hour began; else the newest entry, where a reading
-- begins unless everything fits on this page.
CREATE FUNCTION reading_of(p_account_id uuid, p_reader_id uuid, p_limit integer, p_offset bigint, p_as_of bigint)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_newest bigint := coalesce((SELECT version FROM accounts WHERE account_id = p_account_id), 0);
  v_begun bigint;
BEGIN
  IF p_as_of IS NOT NULL THEN
    RETURN least(p_as_of, v_newest);
  END IF;
  IF p_offset > 0 THEN
    SELECT as_of INTO v_begun FROM ledger_readings
    WHERE account_id = p_account_id AND reader_id = key_or_nobody(p_reader_id)
      AND begun_at > now() - interval '1 hour';
    IF FOUND THEN
      RETURN v_begun;
    END IF;
  END IF;
  IF p_offset + p_limit < v_newest THEN
    INSERT INTO ledger_readings VALUES (p_account_id, key_or_nobody(p_reader_id), v_newest, now())
    ON CONFLICT (account_id, reader_id) DO UPDATE SET as_of = excluded.as_of, begun_at = excluded.begun_at;
  END IF;
  RETURN v_newest;
END
$$;
