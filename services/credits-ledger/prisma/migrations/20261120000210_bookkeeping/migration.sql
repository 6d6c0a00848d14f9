-- The parts that the ledger's operations are made of. Every operation takes its locks in the same order - refs by their
-- hash, then accounts by their id - so that operations wait for one another but never in a circle.

-- What an operation answers: `outcome`, and the balance as of this item; no balance where no account is known.
CREATE TYPE ledger_answer AS (
  -- The position of the item in the call, from 1.
  item bigint,
  outcome text,
  account_id uuid,
  free integer,
  purchased integer,
  reserved integer,
  version bigint,
  month text,
  -- Whether the call has put an event into the outbox for this account.
  told boolean
);

CREATE FUNCTION answer_of(p_item bigint, p_outcome text, p_account accounts, p_told boolean)
RETURNS ledger_answer LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN ROW(
    p_item, p_outcome, p_account.account_id, p_account.free, p_account.purchased, p_account.reserved,
    p_account.version, p_account.free_month, coalesce(p_told, false)
  );
END
$$;

CREATE FUNCTION month_of(p_now timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(p_now AT TIME ZONE 'UTC', 'YYYY-MM')
$$;

-- Keeps reserve and release of one ref apart while there is no row to lock yet.
CREATE FUNCTION lock_refs(p_refs text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7221610, ref_hash)
  FROM (SELECT DISTINCT hashtext(r) AS ref_hash FROM unnest(p_refs) AS r ORDER BY ref_hash) AS ordered;
END
$$;

-- Locks the account until the transaction ends; opens it where this is its first touch. Answers NULL where somebody else
-- keeps it for longer than this transaction waits for locks: such an account is busy, and the rest of a batch goes on.
CREATE FUNCTION enter_account(p_account_id uuid, p_created_at timestamptz) RETURNS accounts LANGUAGE plpgsql AS $$
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

-- The only writer of entries: the account that it answers is the given one after this entry, yet to be saved.
CREATE FUNCTION append_entry(
  p_account accounts, p_kind text, p_ref text, p_free integer, p_purchased integer, p_reserved integer,
  p_reason text, p_key_id uuid, p_request_id text, p_now timestamptz
) RETURNS accounts LANGUAGE plpgsql AS $$
BEGIN
  p_account.free := p_account.free + p_free;
  p_account.purchased := p_account.purchased + p_purchased;
  p_account.reserved := p_account.reserved + p_reserved;
  p_account.version := p_account.version + 1;
  INSERT INTO entries VALUES (
    p_account.account_id, p_account.version, p_kind, p_ref, p_free, p_purchased, p_reserved,
    p_account.free, p_account.purchased, p_account.reserved, p_reason, p_key_id, p_request_id, p_now
  );
  RETURN p_account;
END
$$;

CREATE FUNCTION save_account(p_account accounts) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts
  SET free = p_account.free, purchased = p_account.purchased, reserved = p_account.reserved,
      free_month = p_account.free_month, version = p_account.version
  WHERE account_id = p_account.account_id AND version < p_account.version;
END
$$;

CREATE FUNCTION tell_granted(p_account_id uuid, p_bucket text, p_amount integer, p_ref text)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM messaging.emit(
    'evt.credits-ledger.credits-granted.v1',
    jsonb_build_object('accountId', p_account_id, 'bucket', p_bucket, 'amount', p_amount, 'ref', p_ref)
  );
END
$$;

-- Sets the free bucket back to 100, once per month of the account; a clock that went back grants nothing. Closed accounts get none.
CREATE FUNCTION grant_month(p_account accounts, p_now timestamptz) RETURNS accounts LANGUAGE plpgsql AS $$
DECLARE
  v_month text := month_of(p_now);
  v_amount integer := 100 - p_account.free;
BEGIN
  IF p_account.account_id IS NULL OR p_account.free_month >= v_month OR p_account.status = 'closed' THEN
    RETURN p_account;
  END IF;
  p_account.free_month := v_month;
  IF v_amount > 0 THEN
    PERFORM tell_granted(p_account.account_id, 'free', v_amount, v_month);
  END IF;
  RETURN append_entry(p_account, 'monthly_grant', v_month, v_amount, 0, 0, NULL, NULL, NULL, p_now);
END
$$;
