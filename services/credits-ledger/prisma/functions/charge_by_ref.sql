-- Reserves and settles at once, for work that was delivered: free credits, then purchased ones, and what is missing becomes
-- debt. Takes what a reserve of `apply_operations` takes. A reservation of the same ref that is open is settled. Outcomes: settled,
-- also when repeated; released (it was given back, or its release came first: nothing is charged); frozen; closed; conflict; outside;
-- busy.
CREATE OR REPLACE FUNCTION charge_by_ref(p_request jsonb, p_now timestamptz DEFAULT clock_timestamp())
RETURNS SETOF ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_ref text := p_request ->> 'ref';
  -- What was delivered is not refused by a cap.
  v_operation jsonb := p_request || '{"kind": "reserve", "daily_cap": null}';
  v_account accounts;
  v_answer ledger_answer;
  v_told boolean;
BEGIN
  SELECT * INTO STRICT v_answer FROM apply_operations(jsonb_build_array(v_operation), p_now);
  v_told := v_answer.told;
  IF v_answer.outcome = 'insufficient' AND NOT month_is_open(month_of_ref(v_ref)) THEN
    v_answer.outcome := 'outside';
  ELSIF v_answer.outcome = 'insufficient' THEN
    -- That call has locked it, and granted its month.
    SELECT * INTO STRICT v_account FROM accounts WHERE account_id = v_answer.account_id;
    PERFORM save_account(take_on_debt(
      v_account, 'charge:' || v_ref, (p_request ->> 'amount')::integer - v_account.free, p_request ->> 'request_id', p_now
    ));
    SELECT * INTO STRICT v_answer FROM apply_operations(jsonb_build_array(v_operation), p_now);
  END IF;
  IF v_answer.outcome = 'reserved' THEN
    SELECT * INTO STRICT v_answer FROM apply_operations(
      jsonb_build_array(jsonb_build_object('kind', 'settle', 'ref', v_ref, 'request_id', p_request ->> 'request_id')), p_now
    );
  END IF;
  IF v_answer.outcome = 'in_parts' THEN
    v_answer.outcome := 'conflict';
  END IF;
  v_answer.told := v_told OR v_answer.told;
  RETURN NEXT v_answer;
END
$$;
