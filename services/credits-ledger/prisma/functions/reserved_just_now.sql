-- Whether this transaction, and not an earlier one, has reserved credits under the ref. The account is locked.
CREATE OR REPLACE FUNCTION reserved_just_now(p_account_id uuid, p_ref text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_account accounts;
BEGIN
  SELECT * INTO v_account FROM accounts WHERE account_id = p_account_id;
  RETURN EXISTS (
    SELECT FROM entries
    WHERE account_id = p_account_id AND version = v_account.version AND period = v_account.period AND kind = 'reserve'
      AND ref = p_ref AND written_in = pg_current_xact_id()::text::bigint
  );
END
$$;
