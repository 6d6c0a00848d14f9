-- Sets the bits of parts.
CREATE OR REPLACE FUNCTION with_parts(p_bits varbit, p_parts smallint[]) RETURNS varbit LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_part integer;
BEGIN
  FOREACH v_part IN ARRAY p_parts LOOP
    IF v_part > length(p_bits) THEN
      p_bits := p_bits || repeat('0', v_part - length(p_bits))::varbit;
    END IF;
    p_bits := set_bit(p_bits, v_part - 1, 1);
  END LOOP;
  RETURN p_bits;
END
$$;

-- The parts whose bits are set, in order.
CREATE OR REPLACE FUNCTION parts_of(p_bits varbit) RETURNS smallint[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY(SELECT n::smallint FROM generate_series(1, length(p_bits)) AS n WHERE get_bit(p_bits, n - 1) = 1)
$$;

-- Whether the bit of a part is set.
CREATE OR REPLACE FUNCTION has_part(p_bits varbit, p_part integer) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_part <= length(p_bits) THEN get_bit(p_bits, p_part - 1) = 1 ELSE false END
$$;

-- The given parts of a reservation that are in one of the states charged, given_back, held and none.
CREATE OR REPLACE FUNCTION parts_that_are(p_held booked_reservation, p_states text[], p_parts smallint[])
RETURNS smallint[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_part smallint;
  v_found smallint[] := '{}';
BEGIN
  FOREACH v_part IN ARRAY p_parts LOOP
    IF (CASE
      WHEN has_part(p_held.charged, v_part) THEN 'charged'
      WHEN has_part(p_held.given_back, v_part) THEN 'given_back'
      WHEN has_part(p_held.parts, v_part) THEN 'held'
      ELSE 'none'
    END) = ANY (p_states) THEN
      v_found := v_found || v_part;
    END IF;
  END LOOP;
  RETURN v_found;
END
$$;

-- The reservation of a ref, locked until the transaction ends; all columns are NULL if there is none.
CREATE OR REPLACE FUNCTION reserved_under(p_ref text) RETURNS booked_reservation LANGUAGE sql AS $$
  SELECT ref, account_id, unit, parts, charged, given_back, refunded, held_free, held_purchased, free_month, lacked, key_id,
         created_at, resolved_at, reason, request_id, subject, job_id, ref_month
  FROM reservations WHERE ref_month = month_of_ref(p_ref) AND ref = p_ref FOR UPDATE
$$;

-- Charges delivered parts, whether or not they are reserved: settles held parts, takes the rest from free credits, then from purchased
-- ones, and lends what is missing. Once for each ref and part; parts that were given back are not charged. The request is a reserve of
-- `apply_operations`. Outcomes: charged; frozen; closed; conflict; outside; busy. Answers which of the parts are charged.
CREATE OR REPLACE FUNCTION charge_parts(p_request jsonb, p_now timestamptz DEFAULT clock_timestamp())
RETURNS SETOF ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_given ledger_operation := jsonb_populate_record(NULL::ledger_operation, p_request);
  v_account accounts;
  v_of booked_reservation;
  v_answer ledger_answer;
  v_is_known boolean;
  v_parts smallint[];
  v_credits integer;
  v_free integer;
  v_has_events boolean;
BEGIN
  v_given.kind := 'reserve';
  IF EXISTS (
    SELECT FROM reservations
    WHERE ref_month = month_of_ref(v_given.ref) AND ref = v_given.ref
      AND (account_id <> v_given.account_id OR (account_id IS NOT NULL AND unit <> v_given.unit))
  ) OR EXISTS (SELECT FROM key_owners WHERE key_id = v_given.key_id AND account_id <> v_given.account_id) THEN
    RETURN NEXT answer_of(1, 'conflict', v_account, false);
    RETURN;
  END IF;
  SELECT * INTO STRICT v_answer FROM apply_operations(jsonb_build_array(jsonb_build_object(
    'kind', 'settle', 'ref', v_given.ref, 'parts', v_given.parts, 'request_id', v_given.request_id
  )), p_now);
  v_account := enter_account(v_given.account_id, p_now);
  IF v_answer.outcome = 'busy' OR v_account.account_id IS NULL THEN
    v_answer.outcome := 'busy';
    RETURN NEXT v_answer;
    RETURN;
  END IF;
  v_has_events := v_answer.has_events OR (v_account.free_month < month_of(p_now) AND v_account.status <> 'closed');
  v_account := grant_month(v_account, p_now);
  v_of := reserved_under(v_given.ref);
  v_is_known := v_of.ref IS NOT NULL;
  IF NOT v_is_known THEN
    v_of.given_back := ''; v_of.charged := ''; v_of.parts := ''; v_of.refunded := '';
  END IF;
  v_parts := parts_that_are(v_of, '{none}', v_given.parts);
  v_answer := answer_of(1, 'charged', v_account, v_has_events);
  IF cardinality(v_parts) > 0 AND v_account.status <> 'active' THEN
    v_answer.outcome := v_account.status;
  ELSIF cardinality(v_parts) > 0 AND NOT month_is_open(month_of_ref(v_given.ref)) THEN
    v_answer.outcome := 'outside';
  ELSIF cardinality(v_parts) > 0 THEN
    IF v_of.account_id IS NULL THEN
      v_of := (
        v_given.ref, v_given.account_id, v_given.unit, '', '', v_of.given_back, '', 0, 0, v_account.free_month, NULL,
        v_given.key_id, p_now, p_now, v_given.reason, v_given.request_id, v_given.subject, v_given.job_id,
        month_of_ref(v_given.ref)
      );
    END IF;
    v_credits := v_given.unit * cardinality(v_parts);
    v_free := least(v_account.free, v_credits);
    v_account := take_on_debt(
      v_account, 'charge:' || v_given.ref || ':' || v_account.version, v_credits - v_free, v_given.request_id, p_now
    );
    v_account := append_parts_entry(
      v_account, v_of, 'charge', -v_free, v_free - v_credits, v_parts, v_given.request_id, p_now
    );
    v_of.charged := with_parts(v_of.charged, v_parts);
    IF v_is_known THEN
      DELETE FROM reservations WHERE ref_month = v_of.ref_month AND ref = v_of.ref;
    END IF;
    INSERT INTO reservations SELECT v_of.*;
    PERFORM save_limits(ARRAY[v_given], ARRAY[v_given.account_id]);
    v_answer := answer_of(1, 'charged', v_account, v_has_events);
  END IF;
  PERFORM save_account(v_account);
  v_answer.charged := parts_that_are(v_of, '{charged}', v_given.parts);
  RETURN NEXT v_answer;
EXCEPTION
  -- Another transaction has given the ref back meanwhile.
  WHEN unique_violation THEN
    RETURN QUERY SELECT * FROM charge_parts(p_request, p_now);
END
$$;

-- Gives the credits of charged parts back, once for each ref and part, as purchased credits, because free ones of a past month would have
-- expired. Outcomes: granted, also if repeated; closed; unknown (the ref has no reservation); busy. Answers the refunded parts as
-- `charged`.
CREATE OR REPLACE FUNCTION refund_parts(
  p_ref text, p_parts smallint[], p_request_id text, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS SETOF ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_account_id uuid := (
    SELECT account_id FROM reservations WHERE ref_month = month_of_ref(p_ref) AND ref = p_ref
  );
  v_account accounts;
  v_of booked_reservation;
  v_parts smallint[];
  v_credits integer;
  v_has_events boolean;
  v_answer ledger_answer;
BEGIN
  IF v_account_id IS NOT NULL THEN
    v_account := enter_account(v_account_id, p_now);
  END IF;
  IF v_account.account_id IS NULL THEN
    RETURN NEXT answer_of(1, CASE WHEN v_account_id IS NULL THEN 'unknown' ELSE 'busy' END, v_account, false);
    RETURN;
  END IF;
  v_has_events := v_account.free_month < month_of(p_now) AND v_account.status <> 'closed';
  v_account := grant_month(v_account, p_now);
  v_of := reserved_under(p_ref);
  v_parts := ARRAY(
    SELECT n FROM unnest(p_parts) AS n WHERE has_part(v_of.charged, n) AND NOT has_part(v_of.refunded, n) ORDER BY n
  );
  v_credits := v_of.unit * cardinality(v_parts);
  IF v_credits > 0 AND v_account.status <> 'closed' THEN
    v_account := append_parts_entry(v_account, v_of, 'refund', 0, v_credits, v_parts, p_request_id, p_now);
    v_account := pay_debt(v_account, 'refund:' || p_ref || ':' || v_account.version, v_credits, p_now);
    PERFORM emit_granted(v_account_id, 'purchased', v_credits, p_ref);
    v_has_events := true;
    v_of.refunded := with_parts(v_of.refunded, v_parts);
    UPDATE reservations SET refunded = v_of.refunded WHERE ref_month = v_of.ref_month AND ref = p_ref;
  END IF;
  PERFORM save_account(v_account);
  v_answer := answer_of(
    1, CASE WHEN v_credits > 0 AND v_account.status = 'closed' THEN 'closed' ELSE 'granted' END, v_account, v_has_events
  );
  v_answer.charged := ARRAY(SELECT n FROM unnest(p_parts) AS n WHERE has_part(v_of.refunded, n) ORDER BY n);
  RETURN NEXT v_answer;
END
$$;
