-- Begins the month of an account, which is locked: what it books from now on is kept there, and the free bucket is set back to
-- 100, once. A clock that went back begins and grants nothing. Closed accounts are granted nothing. That the month has begun
-- is saved; the grant is yet to be.
CREATE OR REPLACE FUNCTION grant_month(p_account accounts, p_now timestamptz) RETURNS accounts LANGUAGE plpgsql AS $$
DECLARE
  v_month text := month_of(p_now);
  v_amount integer := 100 - p_account.free;
BEGIN
  IF p_account.period < period_of(p_now) THEN
    p_account.period := period_of(p_now);
    UPDATE accounts SET period = p_account.period WHERE account_id = p_account.account_id;
    INSERT INTO account_months (account_id, period, lines_before)
    VALUES (p_account.account_id, p_account.period, p_account.lines);
  END IF;
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
