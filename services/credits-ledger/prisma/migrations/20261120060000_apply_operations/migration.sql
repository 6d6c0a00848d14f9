-- Reserves, settlements and releases that arrive together are one statement and one commit, whatever their mix. What
-- they need is read and locked at once, decided in memory, and written at once: an operation alone costs as much as
-- twenty together.

-- One operation. `account_id`, `amount`, `key_id`, `daily_cap` and `reason` come with a reserve; of the others, `account_id` is
-- looked up.
CREATE TYPE ledger_operation AS (
  -- Its position in the call, from 1.
  item bigint,
  kind text,
  ref text,
  account_id uuid,
  amount bigint,
  key_id uuid,
  daily_cap bigint,
  request_id text,
  reason text
);

-- Locks the accounts, which are given in the order of their ids, and opens those that are touched for the first time.
-- Answers them in the same order; NULL where somebody else keeps one for longer than this transaction waits for locks.
CREATE FUNCTION enter_accounts(p_ids uuid[], p_now timestamptz) RETURNS accounts[] LANGUAGE plpgsql AS $$
DECLARE
  v_entered accounts[];
  v_account accounts;
  v_id uuid;
BEGIN
  BEGIN
    v_entered := ARRAY(
      SELECT a FROM accounts AS a WHERE a.account_id = ANY (p_ids) ORDER BY a.account_id FOR UPDATE SKIP LOCKED
    );
    IF cardinality(v_entered) = cardinality(p_ids) THEN
      RETURN v_entered;
    END IF;
    -- Lets go of all of them: whoever waits for one while holding a later one may wait in a circle.
    RAISE lock_not_available;
  EXCEPTION WHEN lock_not_available THEN
    v_entered := '{}';
  END;
  -- Before any account is locked, so that nobody who waits for a new one is waited for.
  INSERT INTO accounts (account_id, created_at)
  SELECT id, p_now FROM unnest(p_ids) AS id ORDER BY id ON CONFLICT DO NOTHING;
  FOREACH v_id IN ARRAY p_ids LOOP
    v_account := enter_account(v_id, p_now);
    v_entered := v_entered || CASE WHEN v_account.account_id IS NOT NULL THEN v_account END;
  END LOOP;
  RETURN v_entered;
END
$$;

-- Adds entries to the days of their keys; a release gives its credits back to the day on which they were reserved.
CREATE FUNCTION count_key_days(p_entries entries[], p_released reservations[], p_now timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO key_days AS k (account_id, day, key_id, credits_used, credits_charged, reserved, settled, released)
  SELECT account_id, day_of(p_now), key_or_nobody(key_id),
         coalesce(sum(reserved_delta) FILTER (WHERE kind = 'reserve'), 0),
         coalesce(-sum(reserved_delta) FILTER (WHERE kind = 'settle'), 0),
         count(*) FILTER (WHERE kind = 'reserve'), count(*) FILTER (WHERE kind = 'settle'),
         count(*) FILTER (WHERE kind = 'release')
  FROM unnest(p_entries) GROUP BY account_id, key_id
  ON CONFLICT (account_id, day, key_id) DO UPDATE
  SET credits_used = k.credits_used + excluded.credits_used,
      credits_charged = k.credits_charged + excluded.credits_charged,
      reserved = k.reserved + excluded.reserved,
      settled = k.settled + excluded.settled,
      released = k.released + excluded.released;
  IF p_released <> '{}' THEN
    UPDATE key_days AS k SET credits_used = k.credits_used - r.credits
    FROM (
      SELECT account_id, day_of(created_at) AS day, key_or_nobody(key_id) AS key_id, sum(amount) AS credits
      FROM unnest(p_released) GROUP BY 1, 2, 3
    ) AS r
    WHERE k.account_id = r.account_id AND k.day = r.day AND k.key_id = r.key_id;
  END IF;
END
$$;

-- Writes down what was decided while the accounts were locked.
CREATE FUNCTION save_operations(
  p_accounts accounts[], p_entries entries[], p_held reservations[], p_resolved reservations[],
  p_released reservations[], p_now timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_resolved integer;
BEGIN
  IF p_held <> '{}' THEN
    INSERT INTO reservations SELECT * FROM unnest(p_held);
  END IF;
  IF p_resolved <> '{}' THEN
    UPDATE reservations AS r SET state = p.state, resolved_at = p.resolved_at
    FROM unnest(p_resolved) AS p WHERE r.ref = p.ref AND r.state = 'open';
    GET DIAGNOSTICS v_resolved = ROW_COUNT;
    IF v_resolved <> cardinality(p_resolved) THEN
      RAISE EXCEPTION 'a reservation was resolved by somebody who had not locked its account'
        USING ERRCODE = 'serialization_failure';
    END IF;
  END IF;
  UPDATE accounts AS a
  SET free = p.free, purchased = p.purchased, reserved = p.reserved, free_month = p.free_month, version = p.version
  FROM unnest(p_accounts) AS p WHERE a.account_id = p.account_id AND a.version < p.version;
  IF p_entries <> '{}' THEN
    INSERT INTO entries SELECT * FROM unnest(p_entries);
    PERFORM count_key_days(p_entries, p_released, p_now);
  END IF;
END
$$;

CREATE OR REPLACE FUNCTION free_to_return(p_held reservations, p_account accounts, p_now timestamptz)
RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_held.free_month = greatest(p_account.free_month, month_of(p_now)) THEN p_held.from_free ELSE 0 END
$$;

-- What a reserve comes to, `p_held` being what its ref holds already and `p_used` what its key has used of the day's cap;
-- both may be NULL.
CREATE FUNCTION reserve_outcome(
  p_account accounts, p_held reservations, p_amount bigint, p_used bigint, p_cap bigint
) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN p_held.ref IS NOT NULL AND p_held.account_id IS NULL THEN 'released'
    WHEN p_held.account_id <> p_account.account_id OR p_held.amount <> p_amount THEN 'conflict'
    WHEN p_held.state = 'open' THEN 'reserved'
    WHEN p_held.ref IS NOT NULL THEN p_held.state
    WHEN p_account.status <> 'active' THEN p_account.status
    WHEN p_used + p_amount > p_cap THEN 'capped'
    WHEN p_amount > p_account.free::bigint + p_account.purchased THEN 'insufficient'
    ELSE 'reserved'
  END
$$;

-- Operations: kind (reserve, settle, release), ref, request_id; of a reserve also account_id, amount, key_id, daily_cap and
-- reason. They are applied account by account, and in their order within each. Outcomes of a reserve: reserved; settled or
-- released (this ref was resolved before: nothing is held); capped; insufficient; frozen; closed; conflict (the ref is
-- another operation's). Of the others: how the reservation was resolved, by this call or an earlier one; unknown where there
-- was none when the call began (a release then leaves a tombstone, so that a reserve that is on its way holds nothing).
-- Of all: busy, where the account stayed locked and nothing was changed.
CREATE FUNCTION apply_operations(p_operations jsonb, p_now timestamptz DEFAULT clock_timestamp())
RETURNS SETOF ledger_answer LANGUAGE plpgsql SET lock_timeout = '1s'
-- A connection plans each statement once, maybe while the tables are still small, and they grow.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
DECLARE
  v_operations ledger_operation[];
  v_refs text[];
  v_entered accounts[];
  v_place integer := 0;
  v_next record;
  v_account_id uuid;
  v_account accounts;
  v_held reservations;
  v_outcome text;
  -- What the operation changes of the three buckets.
  v_free integer;
  v_purchased integer;
  v_reserved integer;
  v_month_before text;
  v_today date := day_of(p_now);
  -- What this call has made of a ref, by the position of the ref's first operation.
  v_first integer;
  v_held_now reservations[];
  -- The account's keys of which this call has changed what they used today, and by how much.
  v_key integer;
  v_keys uuid[];
  v_used_now integer[];
  -- What is to be written.
  v_accounts accounts[] := '{}';
  v_entries entries[] := '{}';
  v_new reservations[] := '{}';
  v_resolved reservations[] := '{}';
  v_released reservations[] := '{}';
BEGIN
  v_refs := ARRAY(SELECT o ->> 'ref' FROM jsonb_array_elements(p_operations) AS o);
  PERFORM lock_refs(v_refs);
  PERFORM set_config('lock_timeout', '300ms', true);
  v_operations := ARRAY(
    SELECT (
      o.item, o.kind, o.ref, coalesce(o.account_id, (SELECT r.account_id FROM reservations AS r WHERE r.ref = o.ref)),
      o.amount, o.key_id, o.daily_cap, o.request_id, o.reason
    )::ledger_operation
    FROM ROWS FROM (
      jsonb_to_recordset(p_operations) AS (
        kind text, ref text, account_id uuid, amount bigint, key_id uuid, daily_cap bigint, request_id text, reason text
      )
    ) WITH ORDINALITY AS o (kind, ref, account_id, amount, key_id, daily_cap, request_id, reason, item)
  );
  v_entered := enter_accounts(ARRAY(
    SELECT DISTINCT o.account_id FROM unnest(v_operations) AS o WHERE o.account_id IS NOT NULL ORDER BY o.account_id
  ), p_now);

  FOR v_next IN
    SELECT o.*, r AS held,
           CASE WHEN o.daily_cap IS NOT NULL AND o.key_id IS NOT NULL THEN coalesce((
             SELECT k.credits_used FROM key_days AS k
             WHERE k.account_id = o.account_id AND k.day = v_today AND k.key_id = o.key_id
           ), 0) END AS used_before
    FROM unnest(v_operations) AS o LEFT JOIN reservations AS r ON r.ref = o.ref
    ORDER BY o.account_id NULLS FIRST, o.item
  LOOP
    IF v_account_id IS DISTINCT FROM v_next.account_id THEN
      v_accounts := v_accounts || v_account;
      v_place := v_place + 1;
      v_account_id := v_next.account_id;
      v_account := v_entered[v_place];
      v_month_before := v_account.free_month;
      v_account := grant_month(v_account, p_now);
      v_keys := '{}';
      v_used_now := '{}';
    END IF;
    v_first := array_position(v_refs, v_next.ref);
    v_held := coalesce(v_held_now[v_first], v_next.held);
    v_reserved := 0;

    IF v_account_id IS NULL THEN
      -- Nobody knew the ref when this call began, or only by its release.
      v_outcome := coalesce(v_held.state, 'unknown');
      IF v_next.kind = 'release' AND v_outcome = 'unknown' THEN
        v_held := (v_next.ref, NULL, 0, 0, 0, month_of(p_now), 'released', NULL, p_now, p_now);
        v_new := v_new || v_held;
        v_held_now[v_first] := v_held;
      END IF;
    ELSIF v_account.account_id IS NULL THEN
      v_outcome := 'busy';
    ELSIF v_next.kind = 'reserve' THEN
      v_outcome := reserve_outcome(
        v_account, v_held, v_next.amount,
        v_next.used_before + coalesce(v_used_now[array_position(v_keys, v_next.key_id)], 0), v_next.daily_cap
      );
      IF v_outcome = 'reserved' AND v_held.ref IS NULL THEN
        v_reserved := v_next.amount;
        v_free := -least(v_account.free, v_reserved);
        v_purchased := -(v_reserved + v_free);
        v_held := (
          v_next.ref, v_account_id, v_reserved, -v_free, -v_purchased, v_account.free_month, 'open', v_next.key_id, p_now,
          NULL
        );
        v_new := v_new || v_held;
      END IF;
    ELSIF v_held.state = 'open' THEN
      v_outcome := v_next.kind || 'd';
      v_reserved := -v_held.amount;
      v_free := CASE v_next.kind WHEN 'release' THEN free_to_return(v_held, v_account, p_now) ELSE 0 END;
      v_purchased := CASE v_next.kind WHEN 'release' THEN v_held.from_purchased ELSE 0 END;
      v_held.state := v_outcome;
      v_held.resolved_at := p_now;
      v_resolved := v_resolved || v_held;
      IF v_next.kind = 'release' THEN
        v_released := v_released || v_held;
      END IF;
    ELSE
      v_outcome := v_held.state;
    END IF;

    IF v_reserved <> 0 THEN
      v_account.free := v_account.free + v_free;
      v_account.purchased := v_account.purchased + v_purchased;
      v_account.reserved := v_account.reserved + v_reserved;
      v_account.version := v_account.version + 1;
      v_entries := v_entries || (
        v_account_id, v_account.version, v_next.kind, v_next.ref, v_free, v_purchased, v_reserved, v_account.free,
        v_account.purchased, v_account.reserved, v_next.reason, v_held.key_id, v_next.request_id, p_now
      )::entries;
      v_held_now[v_first] := v_held;
      IF v_held.key_id IS NOT NULL AND v_next.kind <> 'settle' AND day_of(v_held.created_at) = v_today THEN
        v_key := coalesce(array_position(v_keys, v_held.key_id), cardinality(v_keys) + 1);
        v_keys[v_key] := v_held.key_id;
        v_used_now[v_key] := coalesce(v_used_now[v_key], 0) + v_reserved;
      END IF;
    END IF;
    RETURN NEXT (
      v_next.item, v_outcome, v_account.account_id, v_account.free, v_account.purchased, v_account.reserved,
      v_account.version, v_account.free_month, coalesce(v_account.free_month > v_month_before, false)
    )::ledger_answer;
  END LOOP;
  PERFORM save_operations(v_accounts || v_account, v_entries, v_new, v_resolved, v_released, p_now);
END
$$;

-- For the release before this one, while both are running.
CREATE FUNCTION operations_of(p_kind text, p_items jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_agg(i || jsonb_build_object('kind', p_kind) ORDER BY place), '[]')
  FROM jsonb_array_elements(p_items) WITH ORDINALITY AS items (i, place)
$$;

CREATE OR REPLACE FUNCTION reserve_many(p_items jsonb, p_now timestamptz DEFAULT clock_timestamp())
RETURNS SETOF ledger_answer LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT * FROM apply_operations(operations_of('reserve', p_items), p_now);
END
$$;

CREATE OR REPLACE FUNCTION settle_many(p_items jsonb, p_now timestamptz DEFAULT clock_timestamp())
RETURNS SETOF ledger_answer LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT * FROM apply_operations(operations_of('settle', p_items), p_now);
END
$$;

CREATE OR REPLACE FUNCTION release_many(p_items jsonb, p_now timestamptz DEFAULT clock_timestamp())
RETURNS SETOF ledger_answer LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT * FROM apply_operations(operations_of('release', p_items), p_now);
END
$$;

-- Only grants come alone, and they belong to no key.
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
  RETURN p_account;
END
$$;

DROP FUNCTION resolve_many, bury_unknown, is_capped, count_key_day;
