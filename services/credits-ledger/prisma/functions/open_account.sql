-- Opens the account with its first free credits. Outcome: opened, also where an earlier touch had opened it.
CREATE OR REPLACE FUNCTION open_account(
  p_account_id uuid, p_created_at timestamptz, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS SETOF ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms' AS $$
DECLARE
  v_account accounts := enter_account(p_account_id, p_created_at);
  v_month_before text := v_account.free_month;
BEGIN
  UPDATE accounts SET created_at = p_created_at WHERE account_id = p_account_id AND created_at > p_created_at;
  v_account := grant_month(v_account, p_now);
  PERFORM save_account(v_account);
  RETURN NEXT answer_of(1, busy_or('opened', v_account), v_account, v_account.free_month > v_month_before);
END
$$;
