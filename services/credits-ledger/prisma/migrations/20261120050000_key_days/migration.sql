-- What every key used and was charged on every UTC day. Kept by the only writer of entries, under the lock of the account,
-- so that a daily cap is decided in the statement that reserves, and a month of usage is thirty rows per key.

CREATE TABLE key_days (
  account_id uuid NOT NULL,
  day date NOT NULL,
  -- The nil uuid stands for work that no key asked for.
  key_id uuid NOT NULL,
  -- What a daily cap counts: the credits of this day's reservations, less those that were released, whenever that was.
  credits_used integer NOT NULL DEFAULT 0 CHECK (credits_used >= 0),
  -- Of the settlements on this day, whenever their reservations were made.
  credits_charged integer NOT NULL DEFAULT 0 CHECK (credits_charged >= 0),
  -- Entries of each kind on this day.
  reserved integer NOT NULL DEFAULT 0 CHECK (reserved >= 0),
  settled integer NOT NULL DEFAULT 0 CHECK (settled >= 0),
  released integer NOT NULL DEFAULT 0 CHECK (released >= 0),
  PRIMARY KEY (account_id, day, key_id)
) WITH (fillfactor = 70);

CREATE INDEX key_days_day_account_id_idx ON key_days (day, account_id);

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'credits_ledger_app') THEN
    REVOKE DELETE, TRUNCATE ON key_days FROM credits_ledger_app;
  END IF;
END
$$;

CREATE FUNCTION day_of(p_now timestamptz) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT (p_now AT TIME ZONE 'UTC')::date
$$;

CREATE FUNCTION key_or_nobody(p_key_id uuid) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(p_key_id, '00000000-0000-0000-0000-000000000000')
$$;

-- Adds one entry to its day; a release gives its credits back to the day on which they were reserved.
CREATE FUNCTION count_key_day(
  p_account_id uuid, p_key_id uuid, p_kind text, p_ref text, p_credits integer, p_now timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_today date := day_of(p_now);
  v_key_id uuid := key_or_nobody(p_key_id);
BEGIN
  INSERT INTO key_days AS k (account_id, day, key_id, credits_used, credits_charged, reserved, settled, released)
  VALUES (
    p_account_id, v_today, v_key_id, CASE p_kind WHEN 'reserve' THEN p_credits ELSE 0 END,
    CASE p_kind WHEN 'settle' THEN p_credits ELSE 0 END,
    (p_kind = 'reserve')::integer, (p_kind = 'settle')::integer, (p_kind = 'release')::integer
  )
  ON CONFLICT (account_id, day, key_id) DO UPDATE
  SET credits_used = k.credits_used + excluded.credits_used,
      credits_charged = k.credits_charged + excluded.credits_charged,
      reserved = k.reserved + excluded.reserved,
      settled = k.settled + excluded.settled,
      released = k.released + excluded.released;
  IF p_kind = 'release' THEN
    UPDATE key_days SET credits_used = credits_used - p_credits
    WHERE account_id = p_account_id AND key_id = v_key_id
      AND day = (SELECT day_of(r.created_at) FROM reservations AS r WHERE r.ref = p_ref);
  END IF;
END
$$;

-- From here on until the end of this migration nobody writes an entry, so that the days start with the whole history.
LOCK TABLE entries IN SHARE ROW EXCLUSIVE MODE;

INSERT INTO key_days AS k (account_id, day, key_id, credits_charged, reserved, settled, released)
SELECT account_id, day_of(created_at), key_or_nobody(key_id),
       coalesce(sum(-reserved_delta) FILTER (WHERE kind = 'settle'), 0),
       count(*) FILTER (WHERE kind = 'reserve'), count(*) FILTER (WHERE kind = 'settle'),
       count(*) FILTER (WHERE kind = 'release')
FROM entries WHERE kind IN ('reserve', 'settle', 'release')
GROUP BY 1, 2, 3;

UPDATE key_days AS k SET credits_used = h.credits
FROM (
  SELECT account_id, day_of(created_at) AS day, key_or_nobody(key_id) AS key_id, sum(amount) AS credits
  FROM reservations WHERE state <> 'released' GROUP BY 1, 2, 3
) AS h
WHERE k.account_id = h.account_id AND k.day = h.day AND k.key_id = h.key_id;

-- The only writer of entries: the account that it answers is the given one after this entry, yet to be saved.
CREATE OR REPLACE FUNCTION append_entry(
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
  IF p_kind IN ('reserve', 'settle', 'release') THEN
    PERFORM count_key_day(p_account.account_id, p_key_id, p_kind, p_ref, abs(p_reserved), p_now);
  END IF;
  RETURN p_account;
END
$$;

-- Whether these credits would take the key over its cap of this UTC day. No cap, or no key, is never capped.
CREATE FUNCTION is_capped(p_account_id uuid, p_key_id uuid, p_cap bigint, p_amount bigint, p_now timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF p_cap IS NULL OR p_key_id IS NULL THEN
    RETURN false;
  END IF;
  RETURN p_amount + coalesce((
    SELECT credits_used FROM key_days
    WHERE account_id = p_account_id AND day = day_of(p_now) AND key_id = p_key_id
  ), 0) > p_cap;
END
$$;

-- Items: account_id, ref, amount, key_id, daily_cap, request_id, reason. Outcomes: reserved; settled or released (this ref
-- was resolved before: nothing is held); capped; insufficient; frozen; closed; conflict (the ref is another operation's).
CREATE OR REPLACE FUNCTION reserve_many(p_items jsonb, p_now timestamptz DEFAULT clock_timestamp())
RETURNS SETOF ledger_answer LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
DECLARE
  v_item record;
  v_account accounts;
  v_account_id uuid;
  v_held reservations;
  v_from_free integer;
  v_outcome text;
  v_month_before text;
BEGIN
  PERFORM lock_refs(ARRAY(SELECT jsonb_array_elements(p_items) ->> 'ref'));
  PERFORM set_config('lock_timeout', '300ms', true);
  FOR v_item IN
    SELECT i.* FROM ROWS FROM (
      jsonb_to_recordset(p_items)
        AS (account_id uuid, ref text, amount bigint, key_id uuid, daily_cap bigint, request_id text, reason text)
    ) WITH ORDINALITY AS i (account_id, ref, amount, key_id, daily_cap, request_id, reason, item)
    ORDER BY i.account_id, i.item
  LOOP
    IF v_account_id IS DISTINCT FROM v_item.account_id THEN
      PERFORM save_account(v_account);
      v_account_id := v_item.account_id;
      v_account := enter_account(v_item.account_id, p_now);
      v_month_before := v_account.free_month;
      v_account := grant_month(v_account, p_now);
    END IF;
    IF v_account.account_id IS NULL THEN
      RETURN NEXT answer_of(v_item.item, 'busy', v_account, false);
      CONTINUE;
    END IF;

    SELECT * INTO v_held FROM reservations WHERE ref = v_item.ref;
    IF FOUND THEN
      v_outcome := CASE
        WHEN v_held.account_id IS NULL THEN 'released'
        WHEN v_held.account_id <> v_item.account_id OR v_held.amount <> v_item.amount THEN 'conflict'
        WHEN v_held.state = 'open' THEN 'reserved'
        ELSE v_held.state
      END;
    ELSIF v_account.status <> 'active' THEN
      v_outcome := v_account.status;
    ELSIF is_capped(v_item.account_id, v_item.key_id, v_item.daily_cap, v_item.amount, p_now) THEN
      v_outcome := 'capped';
    ELSIF v_item.amount > v_account.free::bigint + v_account.purchased THEN
      v_outcome := 'insufficient';
    ELSE
      v_outcome := 'reserved';
      v_from_free := least(v_account.free, v_item.amount);
      INSERT INTO reservations VALUES (
        v_item.ref, v_item.account_id, v_item.amount, v_from_free, v_item.amount - v_from_free,
        v_account.free_month, 'open', v_item.key_id, p_now, NULL
      );
      v_account := append_entry(
        v_account, 'reserve', v_item.ref, -v_from_free, (v_from_free - v_item.amount)::integer,
        v_item.amount::integer, v_item.reason, v_item.key_id, v_item.request_id, p_now
      );
    END IF;
    RETURN NEXT answer_of(v_item.item, v_outcome, v_account, v_account.free_month > v_month_before);
  END LOOP;
  PERFORM save_account(v_account);
END
$$;
