-- Takes an untouched block back, before its money is given back. Outcomes: taken, also when repeated; used; in_debt (the account owes
-- credits, which this block would have to pay); unknown; busy.
CREATE OR REPLACE FUNCTION take_back_block(
  p_account_id uuid, p_ref text, p_request_id text, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS SETOF ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms' AS $$
DECLARE
  v_account accounts := enter_account(p_account_id, p_now);
  v_month_before text := v_account.free_month;
  v_block blocks;
  v_outcome text := 'taken';
BEGIN
  v_account := grant_month(v_account, p_now);
  SELECT * INTO v_block FROM blocks WHERE ref = p_ref AND account_id = v_account.account_id;
  IF v_block.ref IS NULL THEN
    v_outcome := 'unknown';
  ELSIF v_block.standing > 0 AND v_account.debt > 0 THEN
    v_outcome := 'in_debt';
  ELSIF left_of_block(v_account, v_block) < v_block.amount AND v_block.standing > 0 THEN
    v_outcome := 'used';
  ELSE
    v_account := change_block(v_account, v_block, 0, 'refund', p_request_id, p_now);
  END IF;
  PERFORM save_account(v_account);
  RETURN NEXT answer_of(1, busy_or(v_outcome, v_account), v_account, v_account.free_month > v_month_before);
END
$$;
