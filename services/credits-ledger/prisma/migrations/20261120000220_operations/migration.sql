-- The ledger's operations: one statement for the client and one commit each. Refusals are outcomes, not exceptions.
-- They take arrays, so that requests that arrive together share a commit; items of one account are applied in their order.
-- `p_now` is an argument so that months can be tested. Waiting is bounded: an item whose account stays locked answers
-- `busy` and changes nothing, and the client tries again.

-- Items: account_id, ref, amount, key_id, request_id, reason. Outcomes: reserved; settled or released (this ref was
-- resolved before: nothing is held); insufficient; frozen; closed; conflict (the ref is another operation's).
CREATE FUNCTION reserve_many(p_items jsonb, p_now timestamptz DEFAULT clock_timestamp())
RETURNS SETOF ledger_answer LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
DECLARE
  v_item record;
  v_account accounts;
  v_account_id uuid;
  v_held reservations;
  v_from_free integer;
  v_outcome text;
  v_month_before text;
BEGIN
  PERFORM lock_refs(ARRAY(SELECT jsonb_array_elements(p_items) ->> 'ref'));
  PERFORM set_config('lock_timeout', '300ms', true);
  FOR v_item IN
    SELECT i.* FROM ROWS FROM (
      jsonb_to_recordset(p_items)
        AS (account_id uuid, ref text, amount bigint, key_id uuid, request_id text, reason text)
    ) WITH ORDINALITY AS i (account_id, ref, amount, key_id, request_id, reason, item)
    ORDER BY i.account_id, i.item
  LOOP
    IF v_account_id IS DISTINCT FROM v_item.account_id THEN
      PERFORM save_account(v_account);
      v_account_id := v_item.account_id;
      v_account := enter_account(v_item.account_id, p_now);
      v_month_before := v_account.free_month;
      v_account := grant_month(v_account, p_now);
    END IF;
    IF v_account.account_id IS NULL THEN
      RETURN NEXT answer_of(v_item.item, 'busy', v_account, false);
      CONTINUE;
    END IF;

    SELECT * INTO v_held FROM reservations WHERE ref = v_item.ref;
    IF FOUND THEN
      v_outcome := CASE
        WHEN v_held.account_id IS NULL THEN 'released'
        WHEN v_held.account_id <> v_item.account_id OR v_held.amount <> v_item.amount THEN 'conflict'
        WHEN v_held.state = 'open' THEN 'reserved'
        ELSE v_held.state
      END;
    ELSIF v_account.status <> 'active' THEN
      v_outcome := v_account.status;
    ELSIF v_item.amount > v_account.free::bigint + v_account.purchased THEN
      v_outcome := 'insufficient';
    ELSE
      v_outcome := 'reserved';
      v_from_free := least(v_account.free, v_item.amount);
      INSERT INTO reservations VALUES (
        v_item.ref, v_item.account_id, v_item.amount, v_from_free, v_item.amount - v_from_free,
        v_account.free_month, 'open', v_item.key_id, p_now, NULL
      );
      v_account := append_entry(
        v_account, 'reserve', v_item.ref, -v_from_free, (v_from_free - v_item.amount)::integer,
        v_item.amount::integer, v_item.reason, v_item.key_id, v_item.request_id, p_now
      );
    END IF;
    RETURN NEXT answer_of(v_item.item, v_outcome, v_account, v_account.free_month > v_month_before);
  END LOOP;
  PERFORM save_account(v_account);
END
$$;

-- For refs without a reservation: leaves a tombstone, so that a reserve that is still on its way holds nothing.
-- Answers the refs that nobody knew.
CREATE FUNCTION bury_unknown(p_refs text[], p_now timestamptz) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  v_missing text[] := ARRAY(
    SELECT r FROM unnest(p_refs) AS r WHERE (SELECT h.ref FROM reservations AS h WHERE h.ref = r) IS NULL
  );
  v_buried text[] := '{}';
BEGIN
  IF v_missing = '{}' THEN
    RETURN v_buried;
  END IF;
  PERFORM lock_refs(v_missing);
  WITH buried AS (
    INSERT INTO reservations
    SELECT DISTINCT r, NULL::uuid, 0, 0, 0, month_of(p_now), 'released', NULL::uuid, p_now, p_now
    FROM unnest(v_missing) AS r
    ON CONFLICT DO NOTHING
    RETURNING ref
  )
  SELECT coalesce(array_agg(ref), '{}') INTO v_buried FROM buried;
  RETURN v_buried;
END
$$;

-- What a release gives back: free credits only within their month, which for no account lies before the clock's.
CREATE FUNCTION free_to_return(p_held reservations, p_account accounts, p_now timestamptz)
RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN CASE
    WHEN p_held.free_month = greatest(p_account.free_month, month_of(p_now)) THEN p_held.from_free
    ELSE 0
  END;
END
$$;

-- Items: ref, request_id. `p_state` is settled or released. Outcomes: how the reservation was resolved, by this call or
-- an earlier one; unknown where there is none (a release then leaves a tombstone, which is answered as released).
CREATE FUNCTION resolve_many(p_items jsonb, p_state text, p_now timestamptz)
RETURNS SETOF ledger_answer LANGUAGE plpgsql AS $$
DECLARE
  v_item record;
  v_account accounts;
  v_account_id uuid;
  v_nobody accounts;
  v_held reservations;
  v_outcome text;
  v_month_before text;
  v_unknown text[] := '{}';
BEGIN
  IF p_state = 'released' THEN
    v_unknown := bury_unknown(ARRAY(SELECT jsonb_array_elements(p_items) ->> 'ref'), p_now);
  END IF;
  PERFORM set_config('lock_timeout', '300ms', true);
  FOR v_item IN
    SELECT i.*, (SELECT r.account_id FROM reservations AS r WHERE r.ref = i.ref) AS account_id
    FROM ROWS FROM (jsonb_to_recordset(p_items) AS (ref text, request_id text))
      WITH ORDINALITY AS i (ref, request_id, item)
    ORDER BY account_id, i.item
  LOOP
    IF v_item.account_id IS NULL THEN
      SELECT state INTO v_outcome FROM reservations
      WHERE ref = v_item.ref AND account_id IS NULL AND ref <> ALL (v_unknown);
      v_unknown := array_remove(v_unknown, v_item.ref);
      RETURN NEXT answer_of(v_item.item, coalesce(v_outcome, 'unknown'), v_nobody, false);
      CONTINUE;
    END IF;

    IF v_account_id IS DISTINCT FROM v_item.account_id THEN
      PERFORM save_account(v_account);
      v_account_id := v_item.account_id;
      v_account := enter_account(v_item.account_id, p_now);
      v_month_before := v_account.free_month;
      v_account := grant_month(v_account, p_now);
    END IF;
    IF v_account.account_id IS NULL THEN
      RETURN NEXT answer_of(v_item.item, 'busy', v_account, false);
      CONTINUE;
    END IF;

    UPDATE reservations SET state = p_state, resolved_at = p_now WHERE ref = v_item.ref AND state = 'open'
    RETURNING * INTO v_held;
    IF FOUND THEN
      v_outcome := p_state;
      v_account := CASE p_state
        WHEN 'settled' THEN append_entry(
          v_account, 'settle', v_item.ref, 0, 0, -v_held.amount, NULL, v_held.key_id, v_item.request_id, p_now
        )
        ELSE append_entry(
          v_account, 'release', v_item.ref, free_to_return(v_held, v_account, p_now), v_held.from_purchased,
          -v_held.amount, NULL, v_held.key_id, v_item.request_id, p_now
        )
      END;
    ELSE
      SELECT state INTO v_outcome FROM reservations WHERE ref = v_item.ref;
    END IF;
    RETURN NEXT answer_of(v_item.item, v_outcome, v_account, v_account.free_month > v_month_before);
  END LOOP;
  PERFORM save_account(v_account);
END
$$;

CREATE FUNCTION settle_many(p_items jsonb, p_now timestamptz DEFAULT clock_timestamp())
RETURNS SETOF ledger_answer LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
BEGIN
  RETURN QUERY SELECT * FROM resolve_many(p_items, 'settled', p_now);
END
$$;

CREATE FUNCTION release_many(p_items jsonb, p_now timestamptz DEFAULT clock_timestamp())
RETURNS SETOF ledger_answer LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
BEGIN
  RETURN QUERY SELECT * FROM resolve_many(p_items, 'released', p_now);
END
$$;
