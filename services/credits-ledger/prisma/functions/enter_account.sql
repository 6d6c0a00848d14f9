-- Locks the account until the transaction ends; opens it on its first touch. Answers NULL if somebody else keeps it for longer
-- than this transaction waits for locks: such an account is busy, and the rest of a batch goes on.
CREATE OR REPLACE FUNCTION enter_account(p_account_id uuid, p_created_at timestamptz) RETURNS accounts LANGUAGE plpgsql AS $$
DECLARE
  v_account accounts;
BEGIN
  SELECT * INTO v_account FROM accounts WHERE account_id = p_account_id FOR UPDATE SKIP LOCKED;
  IF FOUND THEN
    RETURN v_account;
  END IF;
  -- Catching costs a subtransaction, so only those who have to wait, or to open the account, come here.
  BEGIN
    SELECT * INTO v_account FROM accounts WHERE account_id = p_account_id FOR UPDATE;
    IF NOT FOUND THEN
      INSERT INTO accounts (account_id, created_at) VALUES (p_account_id, p_created_at) ON CONFLICT DO NOTHING;
      SELECT * INTO v_account FROM accounts WHERE account_id = p_account_id FOR UPDATE;
    END IF;
    RETURN v_account;
  EXCEPTION WHEN lock_not_available THEN
    -- One wait is enough for a batch: the other accounts that are not free at once are busy too.
    PERFORM set_config('lock_timeout', '10ms', true);
    RETURN NULL;
  END;
END
$$;
