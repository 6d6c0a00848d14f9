-- Customers read lines: the entries that change what an account owns, numbered from 1 without gaps, so that any page is
-- found by its numbers. What a reservation is for stands on it and on the entry that resolves it.

ALTER TABLE accounts ADD COLUMN lines bigint NOT NULL DEFAULT 0;
ALTER TABLE key_days ADD COLUMN lines integer NOT NULL DEFAULT 0;
ALTER TABLE reservations ADD COLUMN reason text, ADD COLUMN request_id text, ADD COLUMN subject jsonb;
ALTER TABLE entries ADD COLUMN subject jsonb, ADD COLUMN line bigint;

-- Nothing that was booked changes here: the seals, which do not cover the number, prove it, and the books recompute it.
ALTER TABLE entries DISABLE TRIGGER entries_are_append_only;
UPDATE entries AS e SET line = n.line
FROM (
  SELECT account_id, version, row_number() OVER (PARTITION BY account_id ORDER BY version) AS line
  FROM entries WHERE free_delta + purchased_delta + reserved_delta <> 0
) AS n
WHERE e.account_id = n.account_id AND e.version = n.version;
ALTER TABLE entries ENABLE ALWAYS TRIGGER entries_are_append_only;

UPDATE accounts AS a SET lines = n.lines
FROM (SELECT account_id, max(line) AS lines FROM entries GROUP BY account_id) AS n
WHERE a.account_id = n.account_id AND n.lines > 0;
UPDATE key_days AS k SET lines = n.lines
FROM (
  SELECT account_id, day_of(created_at) AS day, key_or_nobody(key_id) AS key_id, count(line) AS lines
  FROM entries WHERE kind IN ('settle', 'release') GROUP BY 1, 2, 3
) AS n
WHERE k.account_id = n.account_id AND k.day = n.day AND k.key_id = n.key_id;
UPDATE reservations AS r SET reason = e.reason, request_id = e.request_id
FROM entries AS e
WHERE r.state = 'open' AND e.account_id = r.account_id AND e.kind = 'reserve' AND e.ref = r.ref;

CREATE UNIQUE INDEX entries_account_id_line_idx ON entries (account_id, line) WHERE line IS NOT NULL;
CREATE INDEX entries_account_id_key_id_line_idx ON entries (account_id, key_id, line) WHERE line IS NOT NULL;
DROP INDEX entries_account_id_key_id_version_idx;

-- Pages say themselves what they count from, so nobody's reading is remembered. The function stays for the release before
-- this one, while both are running.
CREATE OR REPLACE FUNCTION reading_of(
  p_account_id uuid, p_reader_id uuid, p_limit integer, p_offset bigint, p_as_of bigint
) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT least(p_as_of, coalesce((SELECT version FROM accounts WHERE account_id = p_account_id), 0))
$$;
DROP TABLE ledger_readings;

-- JSON as before, so that older seals hold; of an entry with a subject, that too.
CREATE OR REPLACE FUNCTION canonical_entry(e entries) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT convert_to((jsonb_build_array(
    e.account_id, e.version, e.kind, e.ref, e.free_delta, e.purchased_delta, e.reserved_delta, e.free_after,
    e.purchased_after, e.reserved_after, e.reason, e.key_id, e.request_id,
    (extract(epoch FROM e.created_at) * 1000000)::bigint
  ) || CASE WHEN e.subject IS NULL THEN '[]' ELSE jsonb_build_array(e.subject) END)::text, 'UTF8')
$$;

-- Grants alone come this way, and they belong to no key. The account that it answers is yet to be saved.
CREATE OR REPLACE FUNCTION append_entry(
  p_account accounts, p_kind text, p_ref text, p_free integer, p_purchased integer, p_reserved integer,
  p_reason text, p_key_id uuid, p_request_id text, p_now timestamptz
) RETURNS accounts LANGUAGE plpgsql AS $$
DECLARE
  v_is_line boolean := p_free + p_purchased + p_reserved <> 0;
BEGIN
  p_account.free := p_account.free + p_free;
  p_account.purchased := p_account.purchased + p_purchased;
  p_account.reserved := p_account.reserved + p_reserved;
  p_account.version := p_account.version + 1;
  p_account.lines := p_account.lines + v_is_line::integer;
  INSERT INTO entries VALUES (
    p_account.account_id, p_account.version, p_kind, p_ref, p_free, p_purchased, p_reserved,
    p_account.free, p_account.purchased, p_account.reserved, p_reason, p_key_id, p_request_id, p_now,
    NULL, CASE WHEN v_is_line THEN p_account.lines END
  );
  RETURN p_account;
END
$$;

CREATE OR REPLACE FUNCTION save_account(p_account accounts) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts
  SET free = p_account.free, purchased = p_account.purchased, reserved = p_account.reserved,
      free_month = p_account.free_month, version = p_account.version, lines = p_account.lines
  WHERE account_id = p_account.account_id AND version < p_account.version;
END
$$;

-- Made anew rather than altered: a call of the functions before, which is under way while this commits, fails and is
-- repeated, instead of appending an entry without its number.
DROP FUNCTION apply_operations, save_operations, save_key_days, free_to_return, reserve_outcome, enter_month;
DROP TYPE ledger_operation, ledger_account, ledger_reservation, ledger_entry;

-- One operation. `account_id`, `amount`, `key_id`, `daily_cap`, `reason` and `subject` come with a reserve; of the others,
-- `account_id` is looked up.
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
  reason text,
  subject jsonb
);
-- Rows as a call carries them. The row type of a table brings its constraints along, and every unnest would copy them.
CREATE TYPE ledger_account AS (
  account_id uuid,
  free integer,
  purchased integer,
  reserved integer,
  free_month text,
  version bigint,
  status text,
  lines bigint,
  -- Whether this call has granted the month's credits.
  told boolean
);
CREATE TYPE ledger_reservation AS (
  ref text,
  account_id uuid,
  amount integer,
  from_free integer,
  from_purchased integer,
  free_month text,
  state text,
  key_id uuid,
  created_at timestamptz,
  resolved_at timestamptz,
  reason text,
  request_id text,
  subject jsonb
);
CREATE TYPE ledger_entry AS (
  account_id uuid,
  version bigint,
  kind text,
  ref text,
  free_delta integer,
  purchased_delta integer,
  reserved_delta integer,
  free_after integer,
  purchased_after integer,
  reserved_after integer,
  reason text,
  key_id uuid,
  request_id text,
  created_at timestamptz,
  subject jsonb,
  line bigint
);

-- Grants an account, which is locked, its month, and saves it.
CREATE FUNCTION enter_month(p_account_id uuid, p_now timestamptz) RETURNS ledger_account LANGUAGE plpgsql AS $$
DECLARE
  v_account accounts;
BEGIN
  SELECT * INTO v_account FROM accounts WHERE account_id = p_account_id;
  v_account := grant_month(v_account, p_now);
  PERFORM save_account(v_account);
  RETURN (
    v_account.account_id, v_account.free, v_account.purchased, v_account.reserved, v_account.free_month,
    v_account.version, v_account.status, v_account.lines, true
  );
END
$$;

-- What a reserve comes to, `p_held` being what its ref holds already and `p_used` what its key has used of the day's cap;
-- both may be NULL.
CREATE FUNCTION reserve_outcome(
  p_account ledger_account, p_held ledger_reservation, p_amount bigint, p_used bigint, p_cap bigint
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

-- What a release gives back: free credits only within their month, which for no account lies before the clock's.
CREATE FUNCTION free_to_return(p_held ledger_reservation, p_account ledger_account, p_month text)
RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_held.free_month = greatest(p_account.free_month, p_month) THEN p_held.from_free ELSE 0 END
$$;

-- Adds entries to the days of their keys; a release gives its credits back to the day on which they were reserved.
CREATE FUNCTION save_key_days(p_entries ledger_entry[], p_released ledger_reservation[], p_now timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO key_days AS k (account_id, day, key_id, credits_used, credits_charged, reserved, settled, released, lines)
  SELECT account_id, day_of(p_now), key_or_nobody(key_id),
         coalesce(sum(reserved_delta) FILTER (WHERE kind = 'reserve'), 0),
         coalesce(-sum(reserved_delta) FILTER (WHERE kind = 'settle'), 0),
         count(*) FILTER (WHERE kind = 'reserve'), count(*) FILTER (WHERE kind = 'settle'),
         count(*) FILTER (WHERE kind = 'release'), count(line)
  FROM unnest(p_entries) GROUP BY account_id, key_id
  ON CONFLICT (account_id, day, key_id) DO UPDATE
  SET credits_used = k.credits_used + excluded.credits_used,
      credits_charged = k.credits_charged + excluded.credits_charged,
      reserved = k.reserved + excluded.reserved,
      settled = k.settled + excluded.settled,
      released = k.released + excluded.released,
      lines = k.lines + excluded.lines;
  IF cardinality(p_released) > 0 THEN
    UPDATE key_days AS k SET credits_used = k.credits_used - r.credits
    FROM (
      SELECT account_id, day_of(created_at) AS day, key_or_nobody(key_id) AS key_id, sum(amount) AS credits
      FROM unnest(p_released) GROUP BY 1, 2, 3
    ) AS r
    WHERE k.account_id = r.account_id AND k.day = r.day AND k.key_id = r.key_id;
  END IF;
END
$$;

-- Writes down what was decided. Answers false where a reservation that it resolves is not open any more.
CREATE FUNCTION save_operations(
  p_accounts ledger_account[], p_entries ledger_entry[], p_new ledger_reservation[], p_settled text[],
  p_released ledger_reservation[], p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(p_new) > 1 THEN
    -- In one order for all: a ref that another call has just written is waited for until that call has ended.
    p_new := ARRAY(SELECT n FROM unnest(p_new) AS n ORDER BY n.ref COLLATE "C");
  END IF;
  IF cardinality(p_new) > 0 THEN
    INSERT INTO reservations SELECT * FROM unnest(p_new);
  END IF;
  IF cardinality(p_settled) > 0 AND NOT resolve_open(p_settled, 'settled', p_now) THEN
    RETURN false;
  END IF;
  IF cardinality(p_released) > 0
     AND NOT resolve_open(ARRAY(SELECT ref FROM unnest(p_released)), 'released', p_now) THEN
    RETURN false;
  END IF;
  IF cardinality(p_entries) > 0 THEN
    UPDATE accounts AS a
    SET free = p.free, purchased = p.purchased, reserved = p.reserved, version = p.version, lines = p.lines
    FROM unnest(p_accounts) AS p WHERE a.account_id = p.account_id AND a.version < p.version;
    INSERT INTO entries SELECT * FROM unnest(p_entries);
    PERFORM save_key_days(p_entries, p_released, p_now);
  END IF;
  RETURN true;
END
$$;

-- Operations: kind (reserve, settle, release), ref, request_id; of a reserve also account_id, amount, key_id, daily_cap, reason
-- and subject. They are applied in their order, after those of the others whose ref nobody knew when the call began. Outcomes of
-- a reserve: reserved; settled or released (this ref was resolved before: nothing is held); capped; insufficient; frozen;
-- closed; conflict (the ref is another operation's). Of the others: how the reservation was resolved, by this call or an
-- earlier one; unknown where there was none (a release then leaves a tombstone, so that a reserve that is on its way holds
-- nothing). Of all: busy, where the account stayed locked and nothing was changed.
CREATE FUNCTION apply_operations(p_operations jsonb, p_now timestamptz DEFAULT clock_timestamp())
RETURNS SETOF ledger_answer LANGUAGE plpgsql SET lock_timeout = '1s'
-- A connection plans each statement once, maybe while the tables are still small, and they grow.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
DECLARE
  v_today date := day_of(p_now);
  v_month text := month_of(p_now);
  v_in_turn boolean := false;
  v_repeats integer := 0;
  v_constraint text;
  v_operations ledger_operation[];
  v_account_ids uuid[];
  -- The refs in the order of the operations, and what each holds, at the place of its first operation.
  v_refs text[];
  v_holdings ledger_reservation[];
  -- The accounts that are locked.
  v_entered_ids uuid[];
  v_accounts ledger_account[];
  -- What keys have used today; empty where no operation has a cap.
  v_has_caps boolean := jsonb_path_exists(p_operations, '$[*].daily_cap ? (@ != null)');
  v_keys text[];
  v_used bigint[];
  v_next ledger_operation;
  v_first integer;
  v_held ledger_reservation;
  v_place integer;
  v_account ledger_account;
  v_key integer;
  v_outcome text;
  -- What the operation changes of the three buckets.
  v_free integer;
  v_purchased integer;
  v_reserved integer;
  v_is_line boolean;
  -- What is to be written, and what is answered without anything to write.
  v_entries ledger_entry[];
  v_new ledger_reservation[];
  v_settled text[];
  v_released ledger_reservation[];
  v_refused text[];
  v_repeated text[];
  v_answers ledger_answer[];
  v_answer ledger_answer;
BEGIN
  LOOP
    BEGIN
      -- Nothing is locked yet, so somebody else may still change what is read here: the end of this block finds out.
      SELECT array_agg((
               o.item, o.kind, o.ref, coalesce(o.account_id, r.account_id), o.amount, o.key_id, o.daily_cap, o.request_id,
               o.reason, o.subject
             )::ledger_operation ORDER BY o.item),
             array_agg(o.ref ORDER BY o.item),
             array_agg(CASE WHEN r.ref IS NOT NULL THEN (
               r.ref, r.account_id, r.amount, r.from_free, r.from_purchased, r.free_month, r.state, r.key_id, r.created_at,
               r.resolved_at, r.reason, r.request_id, r.subject
             )::ledger_reservation END ORDER BY o.item),
             array_agg(coalesce(o.account_id, r.account_id) ORDER BY o.item)
      INTO v_operations, v_refs, v_holdings, v_account_ids
      FROM ROWS FROM (
        jsonb_to_recordset(p_operations) AS (
          kind text, ref text, account_id uuid, amount bigint, key_id uuid, daily_cap bigint, request_id text, reason text,
          subject jsonb
        )
      ) WITH ORDINALITY AS o (kind, ref, account_id, amount, key_id, daily_cap, request_id, reason, subject, item)
      LEFT JOIN reservations AS r ON r.ref = o.ref;

      IF array_position(v_account_ids, NULL) IS NOT NULL THEN
        v_operations := ARRAY(SELECT o FROM unnest(v_operations) AS o ORDER BY o.account_id IS NOT NULL, o.item);
      END IF;
      -- Waits for nobody; what was entered in turn is this call's own.
      SELECT array_agg(a.account_id),
             array_agg((
               a.account_id, a.free, a.purchased, a.reserved, a.free_month, a.version, a.status, a.lines, false
             )::ledger_account)
      INTO v_entered_ids, v_accounts
      FROM (SELECT * FROM accounts WHERE account_id = ANY (v_account_ids) FOR UPDATE SKIP LOCKED) AS a;
      IF v_has_caps THEN
        -- No join: planned while there are few, it would read all keys of the day for ever.
        SELECT array_agg(key_of_account(o.account_id, o.key_id)),
               array_agg(coalesce((
                 SELECT k.credits_used FROM key_days AS k
                 WHERE k.account_id = o.account_id AND k.day = v_today AND k.key_id = o.key_id
               ), 0))
        INTO v_keys, v_used
        FROM unnest(v_operations) AS o WHERE o.daily_cap IS NOT NULL AND o.key_id IS NOT NULL;
      END IF;

      v_entries := '{}';
      v_new := '{}';
      v_settled := '{}';
      v_released := '{}';
      v_refused := '{}';
      v_repeated := '{}';
      v_answers := '{}';
      FOREACH v_next IN ARRAY coalesce(v_operations, '{}') LOOP
        v_first := array_position(v_refs, v_next.ref);
        v_held := v_holdings[v_first];
        v_place := array_position(v_entered_ids, v_next.account_id);
        v_account := v_accounts[v_place];
        v_reserved := 0;

        IF v_account.free_month < v_month AND v_account.status <> 'closed' THEN
          v_account := enter_month(v_account.account_id, p_now);
          v_accounts[v_place] := v_account;
        END IF;
        IF v_next.account_id IS NULL THEN
          v_outcome := coalesce(v_held.state, 'unknown');
          IF v_next.kind = 'release' AND v_outcome = 'unknown' THEN
            v_held := (v_next.ref, NULL, 0, 0, 0, v_month, 'released', NULL, p_now, p_now, NULL, NULL, NULL);
            v_new := v_new || v_held;
            v_holdings[v_first] := v_held;
          END IF;
        ELSIF v_place IS NULL THEN
          IF NOT v_in_turn THEN
            RAISE SQLSTATE 'LE001';
          END IF;
          -- Or a ref has found its account since: waiting for that one too, out of order, could end in a circle.
          v_outcome := 'busy';
        ELSIF v_next.kind = 'reserve' THEN
          v_outcome := reserve_outcome(
            v_account, v_held, v_next.amount,
            CASE WHEN v_has_caps AND v_next.key_id IS NOT NULL THEN
              coalesce(v_used[array_position(v_keys, key_of_account(v_next.account_id, v_next.key_id))], 0)
            END,
            v_next.daily_cap
          );
          IF v_held.ref IS NOT NULL THEN
            IF v_outcome = 'reserved' THEN
              v_repeated := v_repeated || v_next.ref;
            END IF;
          ELSIF v_outcome = 'reserved' THEN
            v_reserved := v_next.amount;
            v_free := -least(v_account.free, v_reserved);
            v_purchased := -(v_reserved + v_free);
            v_held := (
              v_next.ref, v_account.account_id, v_reserved, -v_free, -v_purchased, v_account.free_month, 'open',
              v_next.key_id, p_now, NULL, v_next.reason, v_next.request_id, v_next.subject
            );
            v_new := v_new || v_held;
          ELSE
            v_refused := v_refused || v_next.ref;
          END IF;
        ELSIF v_held.state = 'open' THEN
          v_outcome := v_next.kind || 'd';
          v_reserved := -v_held.amount;
          v_held.state := v_outcome;
          v_held.resolved_at := p_now;
          IF v_next.kind = 'release' THEN
            v_free := free_to_return(v_held, v_account, v_month);
            v_purchased := v_held.from_purchased;
            v_released := v_released || v_held;
          ELSE
            v_free := 0;
            v_purchased := 0;
            v_settled := v_settled || v_held.ref;
          END IF;
        ELSE
          v_outcome := v_held.state;
        END IF;

        IF v_reserved <> 0 THEN
          v_account.free := v_account.free + v_free;
          v_account.purchased := v_account.purchased + v_purchased;
          v_account.reserved := v_account.reserved + v_reserved;
          v_account.version := v_account.version + 1;
          v_is_line := v_free + v_purchased + v_reserved <> 0;
          v_account.lines := v_account.lines + v_is_line::integer;
          v_accounts[v_place] := v_account;
          v_holdings[v_first] := v_held;
          v_entries := v_entries || (
            v_account.account_id, v_account.version, v_next.kind, v_next.ref, v_free, v_purchased, v_reserved,
            v_account.free, v_account.purchased, v_account.reserved, v_held.reason, v_held.key_id,
            coalesce(v_held.request_id, v_next.request_id), p_now,
            CASE WHEN v_next.kind <> 'reserve' THEN v_held.subject END, CASE WHEN v_is_line THEN v_account.lines END
          )::ledger_entry;
          IF v_has_caps AND v_held.key_id IS NOT NULL AND v_next.kind <> 'settle' AND day_of(v_held.created_at) = v_today THEN
            v_key := array_position(v_keys, key_of_account(v_account.account_id, v_held.key_id));
            IF v_key IS NULL THEN
              v_keys := v_keys || key_of_account(v_account.account_id, v_held.key_id);
              v_used := v_used || v_reserved::bigint;
            ELSE
              v_used[v_key] := v_used[v_key] + v_reserved;
            END IF;
          END IF;
        END IF;
        v_answers := v_answers || (
          v_next.item, v_outcome, v_account.account_id, v_account.free, v_account.purchased, v_account.reserved,
          v_account.version, v_account.free_month, coalesce(v_account.told, false)
        )::ledger_answer;
      END LOOP;

      -- Nothing that is written would tell whether these are still what they were.
      IF cardinality(v_refused) > 0 OR cardinality(v_repeated) > 0 THEN
        PERFORM FROM reservations
        WHERE ref = ANY (v_refused || v_repeated) AND (state <> 'open' OR ref = ANY (v_refused));
        IF FOUND THEN
          RAISE SQLSTATE 'LE002';
        END IF;
      END IF;
      IF NOT save_operations(v_accounts, v_entries, v_new, v_settled, v_released, p_now) THEN
        RAISE SQLSTATE 'LE002';
      END IF;
      EXIT;
    EXCEPTION
      -- Not all accounts are free at once, and none may be held while others are waited for. What is entered here is kept,
      -- whatever is undone later: those who wait for it by then would go on to wait for this transaction's end.
      WHEN SQLSTATE 'LE001' THEN
        v_in_turn := true;
        PERFORM enter_in_turn(array_remove(v_account_ids, NULL), p_now);
      -- What the refs hold is no longer what was read: somebody else's call has committed.
      WHEN SQLSTATE 'LE002' OR unique_violation THEN
        GET STACKED DIAGNOSTICS v_constraint = CONSTRAINT_NAME;
        v_repeats := v_repeats + 1;
        -- A ref changes twice in its life. Only a transaction that cannot see what was committed comes here oftener.
        IF v_constraint NOT IN ('', 'reservations_pkey') OR v_repeats > 2 * cardinality(v_refs) THEN
          RAISE;
        END IF;
    END;
  END LOOP;
  FOREACH v_answer IN ARRAY v_answers LOOP
    RETURN NEXT v_answer;
  END LOOP;
END
$$;
