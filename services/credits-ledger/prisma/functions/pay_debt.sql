-- Pays what a locked account owes of purchased credits that have come in. The debt is saved; what else changes of the account that
-- this answers is yet to be.
CREATE OR REPLACE FUNCTION pay_debt(p_account accounts, p_ref text, p_credits integer, p_now timestamptz)
RETURNS accounts LANGUAGE plpgsql AS $$
DECLARE
  v_paid integer := least(p_account.debt, p_credits);
BEGIN
  IF v_paid = 0 THEN
    RETURN p_account;
  END IF;
  p_account.debt := p_account.debt - v_paid;
  UPDATE accounts SET debt = p_account.debt WHERE account_id = p_account.account_id;
  RETURN append_entry(p_account, 'debt_paid', p_ref, 0, -v_paid, 0, 'debt', NULL, NULL, p_now);
END
$$;
