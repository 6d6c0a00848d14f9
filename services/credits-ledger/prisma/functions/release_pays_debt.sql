-- Pays what the account owes of purchased credits that a release has given back, in `apply_operations`.
CREATE OR REPLACE FUNCTION release_pays_debt(p_account booked_account, p_ref text, p_credits integer, p_now timestamptz)
RETURNS booked_account LANGUAGE plpgsql AS $$
DECLARE
  v_account accounts;
BEGIN
  SELECT * INTO v_account FROM accounts WHERE account_id = p_account.account_id;
  v_account.free := p_account.free;
  v_account.purchased := p_account.purchased;
  v_account.reserved := p_account.reserved;
  v_account.version := p_account.version;
  v_account.lines := p_account.lines;
  v_account := pay_debt(v_account, 'release:' || p_ref || ':' || p_account.version, p_credits, p_now);
  p_account.purchased := v_account.purchased;
  p_account.version := v_account.version;
  p_account.lines := v_account.lines;
  RETURN p_account;
END
$$;
