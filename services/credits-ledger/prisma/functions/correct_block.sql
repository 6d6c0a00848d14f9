-- Brings a block to what its purchase is worth by now, whatever was spent of it and whatever the account's status: a dispute or a refund
-- takes credits, into debt if need be; one that has failed gives them back. Repeating it changes nothing. Outcomes: corrected; unknown; busy.
CREATE OR REPLACE FUNCTION correct_block(
  p_account_id uuid, p_ref text, p_standing integer, p_reason text, p_request_id text,
  p_now timestamptz DEFAULT clock_timestamp()
) RETURNS SETOF ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms' AS $$
DECLARE
  v_account accounts := enter_account(p_account_id, p_now);
  v_version_before bigint;
  v_block blocks;
  v_outcome text := 'unknown';
BEGIN
  v_version_before := v_account.version;
  v_account := grant_month(v_account, p_now);
  SELECT * INTO v_block FROM blocks WHERE ref = p_ref AND account_id = v_account.account_id;
  IF FOUND THEN
    v_outcome := 'corrected';
    v_account := change_block(v_account, v_block, p_standing, p_reason, p_request_id, p_now);
  END IF;
  PERFORM save_account(v_account);
  RETURN NEXT answer_of(1, busy_or(v_outcome, v_account), v_account, v_account.version > v_version_before);
END
$$;
