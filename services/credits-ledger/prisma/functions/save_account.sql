-- Saves the balance that the account has after its newest entry; an account without a new entry is left as it is.
CREATE OR REPLACE FUNCTION save_account(p_account accounts) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts
  SET free = p_account.free, purchased = p_account.purchased, reserved = p_account.reserved,
      free_month = p_account.free_month, version = p_account.version, lines = p_account.lines
  WHERE account_id = p_account.account_id AND version < p_account.version;
END
$$;
