-- Lends a locked account what it lacks to pay `p_amount` from its purchased credits. The debt is saved; what else changes of the
-- account that this answers is yet to be.
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
