-- Sets the bits of items.
CREATE OR REPLACE FUNCTION with_items(p_bits varbit, p_items smallint[]) RETURNS varbit LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_item integer;
BEGIN
  FOREACH v_item IN ARRAY p_items LOOP
    IF v_item > length(p_bits) THEN
      p_bits := p_bits || repeat('0', v_item - length(p_bits))::varbit;
    END IF;
    p_bits := set_bit(p_bits, v_item - 1, 1);
  END LOOP;
  RETURN p_bits;
END
$$;

-- The items whose bits are set, in order.
CREATE OR REPLACE FUNCTION items_of(p_bits varbit) RETURNS smallint[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY(SELECT n::smallint FROM generate_series(1, length(p_bits)) AS n WHERE get_bit(p_bits, n - 1) = 1)
$$;

-- Whether the bit of an item is set.
CREATE OR REPLACE FUNCTION has_item(p_bits varbit, p_item integer) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_item <= length(p_bits) THEN get_bit(p_bits, p_item - 1) = 1 ELSE false END
$$;

-- The given items of a reservation that are in one of the states charged, released, held and none.
CREATE OR REPLACE FUNCTION items_that_are(p_held reservations, p_states text[], p_items smallint[])
RETURNS smallint[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_item smallint;
  v_found smallint[] := '{}';
BEGIN
  FOREACH v_item IN ARRAY p_items LOOP
    IF (CASE
      WHEN has_item(p_held.charged, v_item) THEN 'charged'
      WHEN has_item(p_held.released, v_item) THEN 'released'
      WHEN has_item(p_held.items, v_item) THEN 'held'
      ELSE 'none'
    END) = ANY (p_states) THEN
      v_found := v_found || v_item;
    END IF;
  END LOOP;
  RETURN v_found;
END
$$;

-- Charges delivered items, whether or not they are reserved: settles held items, takes the rest from free credits, then from purchased
-- ones, and lends what is missing. Once for each ref and item; items that were released are not charged. The request is that of
-- `reserve_items`. Outcomes: charged; frozen; closed; conflict; outside; busy. Answers which of the items are charged.
CREATE OR REPLACE FUNCTION charge_items(p_request jsonb, p_now timestamptz DEFAULT clock_timestamp())
RETURNS ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_request items_request := jsonb_populate_record(NULL::items_request, p_request);
  v_account accounts;
  v_month_before text;
  v_of reservations;
  v_outcome text;
BEGIN
  -- Not locked: a conflict opens no account.
  SELECT * INTO v_of FROM reservations WHERE ref_month = month_of_ref(v_request.ref) AND ref = v_request.ref;
  IF is_conflict(v_request, v_of) THEN
    RETURN answer_of('conflict', v_account, false);
  END IF;
  v_account := enter_account(v_request.account_id, p_now);
  IF v_account.account_id IS NULL THEN
    RETURN answer_of('busy', v_account, false);
  END IF;
  v_month_before := v_account.free_month;
  v_account := grant_month(v_account, p_now);
  WHILE v_outcome IS NULL LOOP
    v_of := lock_reservation(v_request.ref);
    IF is_conflict(v_request, v_of) THEN
      RETURN answer_of('conflict', v_account, false);
    ELSIF v_of.account_id IS NOT NULL THEN
      PERFORM resolve_held('settle', v_of, v_account, v_request.items, v_request.request_id, p_now);
      v_of := lock_reservation(v_request.ref);
    END IF;
    v_outcome := charge_unheld(v_request, v_of, p_now);
  END LOOP;
  SELECT * INTO v_account FROM accounts WHERE account_id = v_request.account_id;
  v_of := lock_reservation(v_request.ref);
  RETURN answer_of(
    v_outcome, v_account, v_account.free_month > v_month_before, NULL, items_that_are(v_of, '{charged}', v_request.items)
  );
END
$$;

-- Charges items of a ref that were never held, to its locked account. Returns the outcome, or NULL if another transaction has given the
-- ref back meanwhile.
CREATE OR REPLACE FUNCTION charge_unheld(p_request items_request, p_of reservations, p_now timestamptz)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_account accounts := enter_account(p_request.account_id, p_now);
  v_is_known boolean := p_of.ref IS NOT NULL;
  v_items smallint[] := items_that_are(p_of, '{none}', p_request.items);
  v_credits integer := p_request.unit * cardinality(v_items);
  v_free integer := least(v_account.free, v_credits);
BEGIN
  IF v_credits = 0 THEN
    RETURN 'charged';
  ELSIF v_account.status <> 'active' THEN
    RETURN v_account.status;
  ELSIF NOT month_is_open(month_of_ref(p_request.ref)) THEN
    RETURN 'outside';
  END IF;
  IF p_of.account_id IS NULL THEN
    p_of := (
      p_request.ref, p_request.account_id, p_request.unit, '', '', coalesce(p_of.released, ''), '', 0, 0, v_account.free_month, NULL,
      p_request.key_id, p_now, p_now, p_request.reason, p_request.request_id, p_request.subject, p_request.job_id,
      month_of_ref(p_request.ref)
    );
  END IF;
  p_of.charged := with_items(p_of.charged, v_items);
  IF NOT save_reservation(p_request, p_of, v_is_known) THEN
    RETURN NULL;
  END IF;
  v_account := take_on_debt(
    v_account, 'charge:' || p_of.ref || ':' || v_account.version, v_credits - v_free, p_request.request_id, p_now
  );
  v_account := book_items(v_account, p_of, 'charge', -v_free, v_free - v_credits, 0, v_items, p_request.request_id, p_now);
  PERFORM save_account(v_account);
  RETURN 'charged';
END
$$;

-- Gives the credits of charged items back, once for each ref and item, as purchased credits, because free ones of a past month would have
-- expired. Outcomes: granted, also if repeated; closed; unknown (the ref has no reservation); busy. Answers the refunded items as
-- `charged`.
CREATE OR REPLACE FUNCTION refund_items(
  p_ref text, p_items smallint[], p_request_id text, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_account_id uuid := (
    SELECT account_id FROM reservations WHERE ref_month = month_of_ref(p_ref) AND ref = p_ref
  );
  v_account accounts;
  v_of reservations;
  v_items smallint[];
  v_credits integer;
  v_outcome text := 'granted';
  v_has_events boolean;
BEGIN
  IF v_account_id IS NOT NULL THEN
    v_account := enter_account(v_account_id, p_now);
  END IF;
  IF v_account.account_id IS NULL THEN
    RETURN answer_of(CASE WHEN v_account_id IS NULL THEN 'unknown' ELSE 'busy' END, v_account, false);
  END IF;
  v_has_events := v_account.free_month < month_of(p_now) AND v_account.status <> 'closed';
  v_account := grant_month(v_account, p_now);
  v_of := lock_reservation(p_ref);
  v_items := ARRAY(
    SELECT n FROM unnest(p_items) AS n WHERE has_item(v_of.charged, n) AND NOT has_item(v_of.refunded, n) ORDER BY n
  );
  v_credits := v_of.unit * cardinality(v_items);
  IF v_credits > 0 AND v_account.status = 'closed' THEN
    v_outcome := 'closed';
  ELSIF v_credits > 0 THEN
    v_account := book_items(v_account, v_of, 'refund', 0, v_credits, 0, v_items, p_request_id, p_now);
    v_account := pay_debt(v_account, 'refund:' || p_ref || ':' || v_account.version, v_credits, p_now);
    PERFORM emit_granted(v_account_id, 'purchased', v_credits, p_ref);
    v_has_events := true;
    v_of.refunded := with_items(v_of.refunded, v_items);
    UPDATE reservations SET refunded = v_of.refunded WHERE ref_month = v_of.ref_month AND ref = p_ref;
    PERFORM save_account(v_account);
  END IF;
  RETURN answer_of(
    v_outcome, v_account, v_has_events, NULL, ARRAY(SELECT n FROM unnest(p_items) AS n WHERE has_item(v_of.refunded, n) ORDER BY n)
  );
END
$$;
