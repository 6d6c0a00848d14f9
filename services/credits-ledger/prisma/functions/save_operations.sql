-- Saves the result of `apply_operations`; all refs lie in the given months. `p_before` and `p_after` are the reservations before and after;
-- `p_new`, `p_adopted` (given back before they were reserved) and `p_changed` are indexes into them. Returns false if another
-- transaction has changed a reservation since it was read.
CREATE OR REPLACE FUNCTION save_operations(
  p_accounts booked_account[], p_entries booked_entry[], p_before booked_reservation[], p_after booked_reservation[],
  p_new integer[], p_adopted integer[], p_changed integer[], p_released booked_reservation[], p_first date, p_last date,
  p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_new booked_reservation[];
  v_count integer;
BEGIN
  IF cardinality(p_adopted) > 0 THEN
    DELETE FROM reservations AS r USING (SELECT p_before[i] AS was FROM unnest(p_adopted) AS i OFFSET 0) AS n
    WHERE r.ref = (n.was).ref AND r.ref_month BETWEEN p_first AND p_last AND r.given_back = (n.was).given_back;
    GET DIAGNOSTICS v_count = ROW_COUNT;
    IF v_count < cardinality(p_adopted) THEN
      RETURN false;
    END IF;
  END IF;
  IF cardinality(p_new) = 1 THEN
    v_new := ARRAY[p_after[p_new[1]]];
  ELSIF cardinality(p_new) > 1 THEN
    -- In one order, because the insert of a ref waits for another transaction that inserts the same one.
    v_new := ARRAY(SELECT p_after[i] FROM unnest(p_new) AS i ORDER BY (p_after[i]).ref COLLATE "C");
  END IF;
  IF cardinality(v_new) > 0 THEN
    INSERT INTO reservations SELECT * FROM unnest(v_new);
  END IF;
  IF cardinality(p_changed) > 0 THEN
    UPDATE reservations AS r
    SET charged = (n.now).charged, given_back = (n.now).given_back, held_free = (n.now).held_free,
        held_purchased = (n.now).held_purchased, resolved_at = (n.now).resolved_at
    FROM (
      SELECT p_before[i] AS was, p_after[i] AS now FROM unnest(p_changed) AS i ORDER BY (p_after[i]).ref COLLATE "C" OFFSET 0
    ) AS n
    WHERE r.ref = (n.was).ref AND r.ref_month BETWEEN p_first AND p_last
      AND r.charged = (n.was).charged AND r.given_back = (n.was).given_back;
    GET DIAGNOSTICS v_count = ROW_COUNT;
    IF v_count < cardinality(p_changed) THEN
      RETURN false;
    END IF;
  END IF;
  IF cardinality(p_entries) > 0 THEN
    UPDATE accounts AS a
    SET free = p.free, purchased = p.purchased, reserved = p.reserved, version = p.version, lines = p.lines
    FROM unnest(p_accounts) AS p WHERE a.account_id = p.account_id AND a.version < p.version;
    INSERT INTO entries (
      account_id, version, kind, ref, free_delta, purchased_delta, reserved_delta, free_after, purchased_after, reserved_after,
      reason, key_id, request_id, created_at, subject, line, parts, job_id, period
    ) SELECT * FROM unnest(p_entries);
    PERFORM save_key_days(p_entries, p_released, p_now);
  END IF;
  RETURN true;
END
$$;

-- The answer to one item that is not about parts: its outcome and the balance after it.
CREATE OR REPLACE FUNCTION answer_of(p_item bigint, p_outcome text, p_account accounts, p_has_events boolean)
RETURNS ledger_answer LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN (
    p_item, p_outcome, p_account.account_id, p_account.free, p_account.purchased, p_account.reserved,
    p_account.version, p_account.free_month, coalesce(p_has_events, false), NULL, NULL, NULL, NULL
  )::ledger_answer;
END
$$;
