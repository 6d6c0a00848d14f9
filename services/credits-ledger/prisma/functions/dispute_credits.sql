-- Takes purchased credits back whose payment was disputed, once per ref, from accounts of any status; what was spent already
-- becomes debt. Outcomes: disputed, also when repeated; conflict (this ref took another amount back); busy.
CREATE OR REPLACE FUNCTION dispute_credits(
  p_account_id uuid, p_ref text, p_amount integer, p_request_id text, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS SETOF ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_account accounts := enter_account(p_account_id, p_now);
  v_month_before text := v_account.free_month;
  v_taken integer;
  v_outcome text := 'disputed';
BEGIN
  IF p_amount <= 0 THEN
    RAISE EXCEPTION 'a dispute takes at least one credit back, not %', p_amount USING ERRCODE = 'check_violation';
  END IF;
  IF v_account.account_id IS NULL THEN
    RETURN NEXT answer_of(1, 'busy', v_account, false);
    RETURN;
  END IF;
  v_account := grant_month(v_account, p_now);
  SELECT -purchased_delta INTO v_taken FROM entries
  WHERE account_id = p_account_id AND kind = 'dispute' AND ref = p_ref AND reserved_delta = 0;
  IF NOT FOUND THEN
    v_account := take_on_debt(v_account, 'dispute:' || p_ref, p_amount, p_request_id, p_now);
    v_account := append_entry(v_account, 'dispute', p_ref, 0, -p_amount, 0, 'dispute', NULL, p_request_id, p_now);
  ELSIF v_taken <> p_amount THEN
    v_outcome := 'conflict';
  END IF;
  PERFORM save_account(v_account);
  RETURN NEXT answer_of(1, v_outcome, v_account, v_account.free_month > v_month_before);
END
$$;
