-- Operations in their order, with the reservations of their refs, all of which lie in the given months, and their accounts; in one row. A
-- reserve with a key of another account becomes a `lie`.
CREATE OR REPLACE FUNCTION read_operations(p_operations jsonb, p_first date, p_last date)
RETURNS TABLE (
  operations ledger_operation[], refs text[], reservations booked_reservation[], account_ids uuid[], has_limits boolean
) LANGUAGE sql STABLE AS $$
  SELECT array_agg((
           o.item, CASE WHEN k.account_id <> o.account_id THEN 'lie' ELSE o.kind END, o.ref,
           coalesce(o.account_id, r.account_id), o.unit, o.parts, o.key_id, o.daily_cap, o.request_id, o.reason, o.subject, o.job_id,
           o.limit_id, o.coverage
         )::ledger_operation ORDER BY o.item),
         array_agg(o.ref ORDER BY o.item),
         array_agg(CASE WHEN r.ref IS NOT NULL THEN (
           r.ref, r.account_id, r.unit, r.parts, r.charged, r.given_back, r.refunded, r.held_free, r.held_purchased, r.free_month,
           r.lacked, r.key_id, r.created_at, r.resolved_at, r.reason, r.request_id, r.subject, r.job_id, r.ref_month
         )::booked_reservation END ORDER BY o.item),
         array_agg(coalesce(o.account_id, r.account_id) ORDER BY o.item),
         bool_or(o.limit_id IS NOT NULL)
  FROM ROWS FROM (
    jsonb_to_recordset(p_operations) AS (
      kind text, ref text, account_id uuid, unit integer, parts smallint[], key_id uuid, daily_cap bigint, request_id text,
      reason text, subject jsonb, job_id uuid, limit_id uuid, coverage text
    )
  ) WITH ORDINALITY AS o (
    kind, ref, account_id, unit, parts, key_id, daily_cap, request_id, reason, subject, job_id, limit_id, coverage, item
  )
  -- LIMIT, so that the plan is always an index look-up.
  LEFT JOIN LATERAL (
    SELECT * FROM reservations WHERE ref = o.ref AND ref_month BETWEEN p_first AND p_last LIMIT 1
  ) AS r ON true LEFT JOIN key_owners AS k ON k.key_id = o.key_id
$$;

-- Whether the reservations at some indexes still are as they were read, or missing.
CREATE OR REPLACE FUNCTION reads_hold(
  p_indexes integer[], p_refs text[], p_before booked_reservation[], p_first date, p_last date
) RETURNS boolean LANGUAGE sql AS $$
  SELECT NOT EXISTS (
    SELECT FROM unnest(p_indexes) AS i LEFT JOIN LATERAL (
      SELECT charged, given_back FROM reservations WHERE ref = p_refs[i] AND ref_month BETWEEN p_first AND p_last LIMIT 1
    ) AS r ON true
    WHERE (r.charged, r.given_back) IS DISTINCT FROM ((p_before[i]).charged, (p_before[i]).given_back)
  )
$$;

-- Saves what differs between reservations before and after; all refs lie in the given months. Returns false if another transaction has
-- changed one since it was read.
CREATE OR REPLACE FUNCTION save_reservations(
  p_before booked_reservation[], p_after booked_reservation[], p_first date, p_last date
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_was booked_reservation;
  v_is booked_reservation;
  v_new booked_reservation[] := '{}';
  -- Indexes of those given back before they were reserved, which have another row now, and of those that keep their row.
  v_adopted integer[] := '{}';
  v_changed integer[] := '{}';
  v_count integer;
BEGIN
  FOR i IN 1..coalesce(cardinality(p_before), 0) LOOP
    v_was := p_before[i];
    v_is := p_after[i];
    IF v_is.ref IS NULL THEN
      CONTINUE;
    ELSIF v_was.ref IS NULL THEN
      v_new := v_new || v_is;
    ELSIF v_was.account_id IS DISTINCT FROM v_is.account_id THEN
      v_new := v_new || v_is;
      v_adopted := v_adopted || i;
    ELSIF (v_was.charged, v_was.given_back) <> (v_is.charged, v_is.given_back) THEN
      v_changed := v_changed || i;
    END IF;
  END LOOP;
  IF cardinality(v_adopted) > 0 THEN
    DELETE FROM reservations AS r USING (SELECT p_before[i] AS was FROM unnest(v_adopted) AS i OFFSET 0) AS n
    WHERE r.ref = (n.was).ref AND r.ref_month BETWEEN p_first AND p_last AND r.given_back = (n.was).given_back;
    GET DIAGNOSTICS v_count = ROW_COUNT;
    IF v_count < cardinality(v_adopted) THEN
      RETURN false;
    END IF;
  END IF;
  IF cardinality(v_new) > 1 THEN
    -- In one order, because the insert of a ref waits for another transaction that inserts the same one.
    v_new := ARRAY(SELECT n FROM unnest(v_new) AS n ORDER BY n.ref COLLATE "C");
  END IF;
  IF cardinality(v_new) > 0 THEN
    INSERT INTO reservations SELECT * FROM unnest(v_new);
  END IF;
  IF cardinality(v_changed) > 0 THEN
    UPDATE reservations AS r
    SET charged = (n.now).charged, given_back = (n.now).given_back, held_free = (n.now).held_free,
        held_purchased = (n.now).held_purchased, resolved_at = (n.now).resolved_at
    FROM (
      SELECT p_before[i] AS was, p_after[i] AS now FROM unnest(v_changed) AS i ORDER BY (p_after[i]).ref COLLATE "C" OFFSET 0
    ) AS n
    WHERE r.ref = (n.was).ref AND r.ref_month BETWEEN p_first AND p_last
      AND r.charged = (n.was).charged AND r.given_back = (n.was).given_back;
    GET DIAGNOSTICS v_count = ROW_COUNT;
    IF v_count < cardinality(v_changed) THEN
      RETURN false;
    END IF;
  END IF;
  RETURN true;
END
$$;

-- Saves entries, the balances after them, and the days of their keys.
CREATE OR REPLACE FUNCTION save_balances(
  p_accounts accounts[], p_entries booked_entry[], p_released booked_reservation[], p_now timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts AS a
  SET free = p.free, purchased = p.purchased, reserved = p.reserved, version = p.version, lines = p.lines
  FROM unnest(p_accounts) AS p WHERE a.account_id = p.account_id AND a.version < p.version;
  INSERT INTO entries (
    account_id, version, kind, ref, free_delta, purchased_delta, reserved_delta, free_after, purchased_after, reserved_after,
    reason, key_id, request_id, created_at, subject, line, parts, job_id, period
  ) SELECT * FROM unnest(p_entries);
  PERFORM save_key_days(p_entries, p_released, p_now);
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
