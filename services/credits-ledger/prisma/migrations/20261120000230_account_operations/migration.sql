-- The operations on one account. As in the array operations: one statement, one commit, refusals are outcomes, and an
-- account that stays locked is `busy`.

CREATE FUNCTION busy_or(p_outcome text, p_account accounts) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_account.account_id IS NULL THEN 'busy' ELSE p_outcome END
$$;

-- Grants the month's free credits first where that has not happened yet; otherwise it only reads. Outcome: balance.
CREATE FUNCTION get_balance(p_account_id uuid, p_now timestamptz DEFAULT clock_timestamp())
RETURNS SETOF ledger_answer LANGUAGE plpgsql SET lock_timeout = '300ms' AS $$
DECLARE
  v_account accounts;
  v_month_before text;
BEGIN
  SELECT * INTO v_account FROM accounts WHERE account_id = p_account_id;
  v_month_before := v_account.free_month;
  IF NOT FOUND OR (v_account.free_month < month_of(p_now) AND v_account.status <> 'closed') THEN
    v_account := enter_account(p_account_id, p_now);
    v_month_before := v_account.free_month;
    v_account := grant_month(v_account, p_now);
    PERFORM save_account(v_account);
  END IF;
  RETURN NEXT answer_of(1, busy_or('balance', v_account), v_account, v_account.free_month > v_month_before);
END
$$;

-- Opens the account with its first free credits. Outcome: opened, also where an earlier touch had opened it.
CREATE FUNCTION open_account(
  p_account_id uuid, p_created_at timestamptz, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS SETOF ledger_answer LANGUAGE plpgsql SET lock_timeout = '300ms' AS $$
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

-- Adds purchased credits, once per ref. Outcomes: granted, also when repeated; conflict (this ref granted another
-- amount); closed (closed accounts are given nothing; frozen ones are).
CREATE FUNCTION grant_credits(
  p_account_id uuid, p_ref text, p_amount integer, p_reason text, p_request_id text,
  p_now timestamptz DEFAULT clock_timestamp()
) RETURNS SETOF ledger_answer LANGUAGE plpgsql SET lock_timeout = '300ms' AS $$
DECLARE
  v_account accounts := enter_account(p_account_id, p_now);
  v_month_before text := v_account.free_month;
  v_given integer;
  v_outcome text := 'granted';
  v_told boolean := false;
BEGIN
  IF p_amount <= 0 THEN
    RAISE EXCEPTION 'a grant adds at least one credit, not %', p_amount USING ERRCODE = 'check_violation';
  END IF;
  IF v_account.account_id IS NULL THEN
    RETURN NEXT answer_of(1, 'busy', v_account, false);
    RETURN;
  END IF;
  v_account := grant_month(v_account, p_now);
  SELECT purchased_delta INTO v_given FROM entries
  WHERE account_id = p_account_id AND kind = 'grant' AND ref = p_ref;
  IF FOUND THEN
    v_outcome := CASE WHEN v_given = p_amount THEN 'granted' ELSE 'conflict' END;
  ELSIF v_account.status = 'closed' THEN
    v_outcome := 'closed';
  ELSE
    v_account := append_entry(v_account, 'grant', p_ref, 0, p_amount, 0, p_reason, NULL, p_request_id, p_now);
    PERFORM tell_granted(p_account_id, 'purchased', p_amount, p_ref);
    v_told := true;
  END IF;
  PERFORM save_account(v_account);
  RETURN NEXT answer_of(1, v_outcome, v_account, v_told OR v_account.free_month > v_month_before);
END
$$;

-- Answers whether this was news: an older version changes nothing.
CREATE FUNCTION set_account_status(
  p_account_id uuid, p_status text, p_version bigint, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS boolean LANGUAGE sql SET lock_timeout = '300ms' AS $$
  WITH changed AS (
    INSERT INTO accounts AS a (account_id, status, status_version, created_at)
    VALUES (p_account_id, p_status, p_version, p_now)
    ON CONFLICT (account_id) DO UPDATE SET status = excluded.status, status_version = excluded.status_version
    WHERE a.status_version < excluded.status_version
    RETURNING 1
  )
  SELECT EXISTS (SELECT FROM changed)
$$;
