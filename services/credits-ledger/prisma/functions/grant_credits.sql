-- Adds purchased credits, once per ref. Outcomes: granted, also when repeated; conflict (this ref granted another
-- amount); closed (closed accounts are given nothing; frozen ones are).
CREATE OR REPLACE FUNCTION grant_credits(
  p_account_id uuid, p_ref text, p_amount integer, p_reason text, p_request_id text,
  p_now timestamptz DEFAULT clock_timestamp()
) RETURNS SETOF ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_account accounts := enter_account(p_account_id, p_now);
  v_month_before text := v_account.free_month;
  v_given integer;
  v_outcome text := 'granted';
  v_told boolean := false;
BEGIN
  IF p_amount <= 0 THEN
    RAISE EXCEPTION 'a grant adds at least one credit, not %', p_amount USING ERRCODE = 'check_violation';
  END IF;
  IF v_account.account_id IS NULL THEN
    RETURN NEXT answer_of(1, 'busy', v_account, false);
    RETURN;
  END IF;
  v_account := grant_month(v_account, p_now);
  SELECT purchased_delta INTO v_given FROM entries
  WHERE account_id = p_account_id AND kind = 'grant' AND ref = p_ref AND reserved_delta = 0;
  IF FOUND THEN
    v_outcome := CASE WHEN v_given = p_amount THEN 'granted' ELSE 'conflict' END;
  ELSIF v_account.status = 'closed' THEN
    v_outcome := 'closed';
  ELSE
    v_account := append_entry(v_account, 'grant', p_ref, 0, p_amount, 0, p_reason, NULL, p_request_id, p_now);
    v_account := pay_debt(v_account, 'grant:' || p_ref, p_amount, p_now);
    PERFORM tell_granted(p_account_id, 'purchased', p_amount, p_ref);
    v_told := true;
  END IF;
  PERFORM save_account(v_account);
  RETURN NEXT answer_of(1, v_outcome, v_account, v_told OR v_account.free_month > v_month_before);
END
$$;
