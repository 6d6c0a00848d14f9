-- Writes down what was decided; all refs lie in the given months. Answers false if a reservation that it resolves is not open any more.
CREATE OR REPLACE FUNCTION save_operations(
  p_accounts booked_account[], p_entries booked_entry[], p_new booked_reservation[], p_settled text[],
  p_released booked_reservation[], p_first date, p_last date, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(p_new) > 1 THEN
    -- In one order for all: a ref that another call has just written is waited for until that call has ended.
    p_new := ARRAY(SELECT n FROM unnest(p_new) AS n ORDER BY n.ref COLLATE "C");
  END IF;
  IF cardinality(p_new) > 0 THEN
    INSERT INTO reservations SELECT * FROM unnest(p_new);
  END IF;
  IF cardinality(p_settled) > 0 AND NOT resolve_open(p_settled, 'settled', p_first, p_last, p_now) THEN
    RETURN false;
  END IF;
  IF cardinality(p_released) > 0
     AND NOT resolve_open(ARRAY(SELECT ref FROM unnest(p_released)), 'released', p_first, p_last, p_now) THEN
    RETURN false;
  END IF;
  IF cardinality(p_entries) > 0 THEN
    UPDATE accounts AS a
    SET free = p.free, purchased = p.purchased, reserved = p.reserved, version = p.version, lines = p.lines
    FROM unnest(p_accounts) AS p WHERE a.account_id = p.account_id AND a.version < p.version;
    INSERT INTO entries (
      account_id, version, kind, ref, free_delta, purchased_delta, reserved_delta, free_after, purchased_after, reserved_after,
      reason, key_id, request_id, created_at, subject, line, period
    ) SELECT * FROM unnest(p_entries);
    PERFORM save_key_days(p_entries, p_released, p_now);
  END IF;
  RETURN true;
END
$$;
