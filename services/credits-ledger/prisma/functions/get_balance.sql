-- Grants the month's free credits first if that has not happened yet; otherwise it only reads. Outcome: balance.
CREATE OR REPLACE FUNCTION get_balance(p_account_id uuid, p_now timestamptz DEFAULT clock_timestamp())
RETURNS SETOF ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms' AS $$
DECLARE
  v_account accounts;
  v_month_before text;
BEGIN
  SELECT * INTO v_account FROM accounts WHERE account_id = p_account_id;
  v_month_before := v_account.free_month;
  IF NOT FOUND OR (v_account.free_month < month_of(p_now) AND v_account.status <> 'closed') THEN
    v_account := enter_account(p_account_id, p_now);
    v_month_before := v_account.free_month;
    v_account := grant_month(v_account, p_now);
    PERFORM save_account(v_account);
  END IF;
  RETURN NEXT answer_of(1, busy_or('balance', v_account), v_account, v_account.free_month > v_month_before);
END
$$;
