-- Pays the debt of a locked account from purchased credits that it has received. Saves the debt; the caller saves the rest of the
-- returned account.
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

-- Lends a locked account the purchased credits that it lacks to pay `p_amount`. Saves the debt; the caller saves the rest of the
-- returned account.
CREATE OR REPLACE FUNCTION take_on_debt(
  p_account accounts, p_ref text, p_amount integer, p_request_id text, p_now timestamptz
) RETURNS accounts LANGUAGE plpgsql AS $$
DECLARE
  v_missing integer := greatest(p_amount - p_account.purchased, 0);
BEGIN
  IF v_missing = 0 THEN
    RETURN p_account;
  END IF;
  p_account.debt := p_account.debt + v_missing;
  UPDATE accounts SET debt = p_account.debt WHERE account_id = p_account.account_id;
  RETURN append_entry(p_account, 'debt_taken', p_ref, 0, v_missing, 0, 'debt', NULL, p_request_id, p_now);
END
$$;
