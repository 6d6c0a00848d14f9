-- Sets below how many credits an account is told; NULL is never. The balance is that of this month. Answers whether this was news: an older
-- version changes nothing.
CREATE OR REPLACE FUNCTION set_low_threshold(
  p_account_id uuid, p_threshold integer, p_version bigint, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms' AS $$
DECLARE
  v_account accounts := enter_account(p_account_id, p_now);
BEGIN
  IF v_account.account_id IS NULL THEN
    RAISE EXCEPTION 'the account % stays locked', p_account_id USING ERRCODE = 'lock_not_available';
  END IF;
  v_account := grant_month(v_account, p_now);
  PERFORM save_account(v_account);
  UPDATE accounts
  SET low_threshold = p_threshold, low_threshold_version = p_version,
      is_low = is_low AND low_threshold IS NOT DISTINCT FROM p_threshold
  WHERE account_id = p_account_id AND low_threshold_version < p_version;
  RETURN FOUND;
END
$$;
