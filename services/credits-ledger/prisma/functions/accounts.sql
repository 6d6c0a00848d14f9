-- Opens an account with its first free credits. Outcome: opened, also if an earlier operation has opened it.
CREATE OR REPLACE FUNCTION open_account(
  p_account_id uuid, p_created_at timestamptz, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_account accounts := enter_account(p_account_id, p_created_at);
  v_month_before text := v_account.free_month;
BEGIN
  UPDATE accounts SET created_at = p_created_at WHERE account_id = p_account_id AND created_at > p_created_at;
  v_account := grant_month(v_account, p_now);
  RETURN answer_of(busy_or('opened', v_account), v_account, v_account.free_month > v_month_before);
END
$$;

-- Locks an account until the transaction ends, and opens it if it is missing. Returns NULL if another transaction keeps it locked for
-- longer than `p_wait_ms`, or if that is NULL than the lock timeout: the account is busy then.
CREATE OR REPLACE FUNCTION enter_account(p_account_id uuid, p_created_at timestamptz, p_wait_ms integer DEFAULT NULL)
RETURNS accounts LANGUAGE plpgsql AS $$
DECLARE
  v_account accounts;
BEGIN
  SELECT * INTO v_account FROM accounts WHERE account_id = p_account_id FOR UPDATE SKIP LOCKED;
  IF FOUND THEN
    RETURN v_account;
  ELSIF p_wait_ms IS NOT NULL THEN
    PERFORM set_config('lock_timeout', p_wait_ms::text, true);
  END IF;
  -- The handler costs a subtransaction, which only an account that is locked or missing pays.
  BEGIN
    SELECT * INTO v_account FROM accounts WHERE account_id = p_account_id FOR UPDATE;
    IF NOT FOUND THEN
      INSERT INTO accounts (account_id, created_at) VALUES (p_account_id, p_created_at) ON CONFLICT DO NOTHING;
      SELECT * INTO v_account FROM accounts WHERE account_id = p_account_id FOR UPDATE;
    END IF;
    RETURN v_account;
  EXCEPTION WHEN lock_not_available THEN
    -- A function for many accounts waits once: its other locked accounts are busy at once.
    PERFORM set_config('lock_timeout', '10ms', true);
    RETURN NULL;
  END;
END
$$;

-- Saves the balance after an account's newest entry. Changes nothing if there is no new entry.
CREATE OR REPLACE FUNCTION save_account(p_account accounts) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts
  SET free = p_account.free, purchased = p_account.purchased, reserved = p_account.reserved,
      free_month = p_account.free_month, version = p_account.version, lines = p_account.lines
  WHERE account_id = p_account.account_id AND version < p_account.version;
END
$$;

-- Returns false for an older version, which changes nothing.
CREATE OR REPLACE FUNCTION set_account_status(
  p_account_id uuid, p_status text, p_version bigint, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS boolean LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms' AS $$
  WITH changed AS (
    INSERT INTO accounts AS a (account_id, status, status_version, created_at)
    VALUES (p_account_id, p_status, p_version, p_now)
    ON CONFLICT (account_id) DO UPDATE SET status = excluded.status, status_version = excluded.status_version
    WHERE a.status_version < excluded.status_version
    RETURNING 1
  )
  SELECT EXISTS (SELECT FROM changed)
$$;

-- Work without a key counts under the nil key, because a column of a primary key cannot be NULL.
CREATE OR REPLACE FUNCTION key_or_nil(p_key_id uuid) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(p_key_id, '00000000-0000-0000-0000-000000000000')
$$;

-- Returns the outcome, or `busy` if another transaction has locked the account and this one did nothing.
CREATE OR REPLACE FUNCTION busy_or(p_outcome text, p_account accounts) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_account.account_id IS NULL THEN 'busy' ELSE p_outcome END
$$;

-- Reads a balance. Grants the month's free credits first if they are due. Outcome: balance.
CREATE OR REPLACE FUNCTION get_balance(p_account_id uuid, p_now timestamptz DEFAULT clock_timestamp())
RETURNS ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
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
  END IF;
  RETURN answer_of(busy_or('balance', v_account), v_account, v_account.free_month > v_month_before);
END
$$;

-- The answer to an operation: its outcome, the balance after it, and for operations on items what became of them.
CREATE OR REPLACE FUNCTION answer_of(
  p_outcome text, p_account accounts, p_has_events boolean, p_held smallint[] DEFAULT NULL, p_charged smallint[] DEFAULT NULL,
  p_lacked text DEFAULT NULL, p_cap_left bigint DEFAULT NULL
) RETURNS ledger_answer LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN (
    p_outcome, p_account.account_id, p_account.free, p_account.purchased, p_account.reserved, p_account.version, p_account.free_month,
    coalesce(p_has_events, false), p_held, p_charged, p_lacked, p_cap_left
  )::ledger_answer;
END
$$;
