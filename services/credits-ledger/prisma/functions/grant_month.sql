-- Sets the free bucket back to 100, once per month of the account; a clock that went back grants nothing. Closed accounts
-- get none.
CREATE OR REPLACE FUNCTION grant_month(p_account accounts, p_now timestamptz) RETURNS accounts LANGUAGE plpgsql AS $$
DECLARE
  v_month text := month_of(p_now);
  v_amount integer := 100 - p_account.free;
BEGIN
  IF p_account.account_id IS NULL OR p_account.free_month >= v_month OR p_account.status = 'closed' THEN
    RETURN p_account;
  END IF;
  p_account.free_month := v_month;
  IF v_amount > 0 THEN
    PERFORM tell_granted(p_account.account_id, 'free', v_amount, v_month);
  END IF;
  RETURN append_entry(p_account, 'monthly_grant', v_month, v_amount, 0, 0, NULL, NULL, NULL, p_now);
END
$$;
