-- Charges parts that were delivered, whatever the books have of their reservation: what is held is settled, and the rest is taken
-- of free credits, then purchased ones, and what is missing becomes debt. Once per ref and part; parts that were given back are not
-- charged. Takes what a reserve of `apply_operations` takes. Outcomes: charged; frozen; closed; conflict; outside; busy. Answers
-- those of the parts that are charged.
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
  v_told boolean;
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
  v_told := v_answer.told OR (v_account.free_month < month_of(p_now) AND v_account.status <> 'closed');
  v_account := grant_month(v_account, p_now);
  v_of := reserved_under(v_given.ref);
  v_is_known := v_of.ref IS NOT NULL;
  IF NOT v_is_known THEN
    v_of.given_back := ''; v_of.charged := ''; v_of.parts := ''; v_of.refunded := '';
  END IF;
  v_parts := parts_that_are(v_of, '{none}', v_given.parts);
  v_answer := answer_of(1, 'charged', v_account, v_told);
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
    v_answer := answer_of(1, 'charged', v_account, v_told);
  END IF;
  PERFORM save_account(v_account);
  v_answer.charged := parts_that_are(v_of, '{charged}', v_given.parts);
  RETURN NEXT v_answer;
EXCEPTION
  -- Somebody has given the ref back since it was looked for.
  WHEN unique_violation THEN
    RETURN QUERY SELECT * FROM charge_parts(p_request, p_now);
END
$$;
