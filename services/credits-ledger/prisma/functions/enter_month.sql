-- Begins the month of an account, which is locked, with its grant, and saves it.
CREATE OR REPLACE FUNCTION enter_month(p_account_id uuid, p_now timestamptz) RETURNS booked_account LANGUAGE plpgsql AS $$
DECLARE
  v_account accounts;
  v_month_before text;
BEGIN
  SELECT * INTO v_account FROM accounts WHERE account_id = p_account_id;
  v_month_before := v_account.free_month;
  v_account := grant_month(v_account, p_now);
  PERFORM save_account(v_account);
  RETURN (
    v_account.account_id, v_account.free, v_account.purchased, v_account.reserved, v_account.free_month,
    v_account.version, v_account.status, v_account.lines, v_account.free_month > v_month_before, v_account.period
  );
END
$$;
