-- Applies a batch of operations in one statement and one commit. Each has kind (reserve, settle, release), ref, parts and request_id; a
-- reserve also account_id, unit (price of a part), coverage (all: hold nothing unless the credits cover all parts within the cap; some),
-- key_id, limit_id (the key whose day a rotated one shares), daily_cap, reason, subject, job_id. `p_now` is an argument for tests.
-- reserve: holds as many parts as fit, in order; changes nothing under a known ref. Outcomes: reserved; settled, released (none of the parts
--   is held: charged or given back before); capped; insufficient; frozen; closed; conflict (a ref or key of another); outside (no such month).
-- settle, release: charges parts or gives them back, once. Outcomes: settled (some parts are charged); released; unknown (no reservation;
--   a release then leaves a tombstone, so that a late reserve does not hold the parts). All: busy (account locked, nothing changed).
-- Steps: 1 reads operations, reservations and key owners, without locks; 2 locks the accounts that are free; 3 decides each operation in
-- memory, unknown refs first, and collects entries and answers; 4 checks that reads still hold and saves all. On a locked account, or a
-- change by another call, the block is undone, waits for the accounts in the order of their ids, and repeats from step 1.
CREATE OR REPLACE FUNCTION apply_operations(p_operations jsonb, p_now timestamptz DEFAULT clock_timestamp())
RETURNS SETOF ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '1s'
-- A connection plans each statement once, perhaps while the tables are still small.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  v_today date := day_of(p_now);
  v_month text := month_of(p_now);
  v_period date := period_of(p_now);
  -- The months of the refs: no other partition is read.
  v_ref text := p_operations -> 0 ->> 'ref'; v_months date[] := ARRAY[month_of_ref(v_ref)];
  v_first_month date := v_months[1]; v_last_month date := v_first_month;
  v_outside text[] := '{}';
  v_in_turn boolean := false;
  v_repeats integer := 0; v_table text;
  v_operations ledger_operation[];
  v_account_ids uuid[];
  -- The refs in the order of the operations. A ref's reservation stands at the index of its first operation.
  v_refs text[];
  v_holdings booked_reservation[];
  -- The locked accounts.
  v_entered_ids uuid[];
  v_accounts booked_account[];
  -- The credits used today under each limit; empty if no operation has a cap.
  v_has_caps boolean := jsonb_path_exists(p_operations, '$[*].daily_cap ? (@ != null)');
  v_keys text[];
  v_used bigint[];
  v_has_limits boolean;
  v_cap_left bigint;
  -- The current operation, and the indexes of its ref, account and key.
  v_next ledger_operation;
  v_first integer; v_place integer; v_key integer;
  v_held booked_reservation;
  v_account booked_account;
  v_outcome text;
  v_lacked text;
  -- The parts that the operation holds, charges or gives back.
  v_parts smallint[]; v_count integer;
  -- The number of parts that the credits cover.
  v_covered bigint;
  -- The changes of the three buckets.
  v_free integer; v_purchased integer; v_reserved integer;
  v_is_line boolean;
  -- The result: rows to save, refs to check again, and answers.
  v_entries booked_entry[];
  v_before booked_reservation[];
  v_new integer[]; v_adopted integer[]; v_changed integer[];
  v_released booked_reservation[];
  v_refused text[]; v_repeated integer[];
  v_answers ledger_answer[];
  v_answer ledger_answer;
BEGIN
  IF jsonb_array_length(p_operations) > 1 THEN
    -- OFFSET, so that each month is computed once.
    SELECT array_agg(m.month), min(m.month), max(m.month) INTO v_months, v_first_month, v_last_month
    FROM (SELECT month_of_ref(o ->> 'ref') AS month FROM jsonb_array_elements(p_operations) AS o OFFSET 0) AS m;
  END IF;
  LOOP
    BEGIN
      -- 1. Read. Other calls may change these rows until step 4, which checks them.
      SELECT array_agg((
               o.item, CASE WHEN k.account_id <> o.account_id THEN 'lie' ELSE o.kind END, o.ref,
               coalesce(o.account_id, r.account_id), o.unit, o.parts, o.key_id, o.daily_cap, o.request_id, o.reason, o.subject, o.job_id,
               o.limit_id, o.coverage
             )::ledger_operation ORDER BY o.item),
             array_agg(o.ref ORDER BY o.item),
             array_agg(CASE WHEN r.ref IS NOT NULL THEN (
               r.ref, r.account_id, r.unit, r.parts, r.charged, r.given_back, r.refunded, r.held_free, r.held_purchased, r.free_month,
               r.lacked, r.key_id, r.created_at, r.resolved_at, r.reason, r.request_id, r.subject, r.job_id, r.ref_month
             )::booked_reservation END ORDER BY o.item),
             array_agg(coalesce(o.account_id, r.account_id) ORDER BY o.item),
             bool_or(o.limit_id IS NOT NULL)
      INTO v_operations, v_refs, v_holdings, v_account_ids, v_has_limits
      FROM ROWS FROM (
        jsonb_to_recordset(p_operations) AS (
          kind text, ref text, account_id uuid, unit integer, parts smallint[], key_id uuid, daily_cap bigint, request_id text,
          reason text, subject jsonb, job_id uuid, limit_id uuid, coverage text
        )
      ) WITH ORDINALITY AS o (
        kind, ref, account_id, unit, parts, key_id, daily_cap, request_id, reason, subject, job_id, limit_id, coverage, item
      )
      -- LIMIT, so that the plan is always an index look-up.
      LEFT JOIN LATERAL (
        SELECT * FROM reservations WHERE ref = o.ref AND ref_month BETWEEN v_first_month AND v_last_month LIMIT 1
      ) AS r ON true LEFT JOIN key_owners AS k ON k.key_id = o.key_id;

      IF array_position(v_account_ids, NULL) IS NOT NULL THEN
        v_operations := ARRAY(SELECT o FROM unnest(v_operations) AS o ORDER BY o.account_id IS NOT NULL, o.item);
      END IF;
      -- 2. Lock the accounts that are free. Accounts that were entered in turn are locked by this call already.
      SELECT array_agg(a.account_id),
             array_agg((
               a.account_id, a.free, a.purchased, a.reserved, a.free_month, a.version, a.status, a.lines, false, a.period
             )::booked_account)
      INTO v_entered_ids, v_accounts
      FROM (SELECT * FROM accounts WHERE account_id = ANY (v_account_ids) FOR UPDATE SKIP LOCKED) AS a;
      IF v_has_caps THEN
        SELECT keys, used INTO v_keys, v_used FROM used_on(v_today, v_operations);
      END IF;

      v_before := v_holdings; v_entries := '{}'; v_new := '{}'; v_adopted := '{}'; v_changed := '{}'; v_released := '{}';
      v_refused := '{}'; v_repeated := '{}'; v_answers := '{}';
      -- 3. Decide.
      FOREACH v_next IN ARRAY coalesce(v_operations, '{}') LOOP
        v_first := array_position(v_refs, v_next.ref);
        v_held := v_holdings[v_first];
        v_place := array_position(v_entered_ids, v_next.account_id);
        v_account := v_accounts[v_place];
        v_reserved := 0; v_parts := '{}'; v_lacked := NULL; v_cap_left := NULL;

        IF v_account.period < v_period OR (v_account.free_month < v_month AND v_account.status <> 'closed') THEN
          v_account := enter_month(v_account.account_id, p_now);
          v_accounts[v_place] := v_account;
        END IF;
        IF v_has_caps AND v_next.daily_cap IS NOT NULL AND v_next.key_id IS NOT NULL THEN
          v_key := array_position(v_keys, key_of_account(v_next.account_id, coalesce(v_next.limit_id, v_next.key_id)));
          v_cap_left := v_next.daily_cap - coalesce(v_used[v_key], 0);
        END IF;
        IF v_next.account_id IS NULL THEN
          v_outcome := CASE WHEN v_held.ref IS NULL THEN 'unknown' ELSE 'released' END;
          IF v_next.kind = 'release' AND v_next.ref <> ALL (v_outside) THEN
            IF v_held.ref IS NULL THEN
              v_held := (
                v_next.ref, NULL, 0, '', '', '', '', 0, 0, v_month, NULL, NULL, p_now, p_now, NULL, NULL, NULL, NULL,
                v_months[v_next.item::integer]
              );
              v_new := v_new || v_first;
            ELSIF cardinality(parts_that_are(v_held, '{none}', v_next.parts)) > 0 AND v_first <> ALL (v_new || v_changed) THEN
              v_changed := v_changed || v_first;
            END IF;
            v_held.given_back := with_parts(v_held.given_back, v_next.parts);
            v_holdings[v_first] := v_held;
          END IF;
        ELSIF v_place IS NULL THEN
          IF NOT v_in_turn THEN
            RAISE SQLSTATE 'LE001';
          END IF;
          -- Still locked, or the account of a ref that was unknown at first: waiting for it out of order could deadlock.
          v_outcome := 'busy';
        ELSIF v_next.kind = 'lie' THEN
          v_outcome := 'conflict';
        ELSIF v_next.kind = 'reserve' AND v_held.account_id IS NOT NULL THEN
          v_outcome := 'conflict';
          IF v_held.account_id = v_account.account_id AND v_held.unit = v_next.unit THEN
            v_parts := parts_that_are(v_held, '{held,charged}', v_next.parts);
            v_lacked := CASE WHEN cardinality(v_parts) < cardinality(v_next.parts) THEN v_held.lacked END;
            v_outcome := CASE
              WHEN cardinality(v_parts) = 0 THEN 'released'
              WHEN cardinality(parts_that_are(v_held, '{charged}', v_parts)) = cardinality(v_parts) THEN 'settled'
              ELSE 'reserved'
            END;
            v_repeated := v_repeated || v_first;
          END IF;
        ELSIF v_next.kind = 'reserve' THEN
          v_parts := CASE WHEN v_held.ref IS NULL THEN v_next.parts ELSE parts_that_are(v_held, '{none}', v_next.parts) END;
          v_covered := (v_account.free::bigint + v_account.purchased) / v_next.unit;
          v_count := greatest(0, least(cardinality(v_parts), v_cap_left / v_next.unit));
          v_count := CASE WHEN v_covered >= v_count THEN v_count WHEN v_next.coverage = 'all' THEN 0 ELSE v_covered END;
          IF v_count < cardinality(v_parts) THEN
            v_lacked := CASE WHEN v_cap_left / v_next.unit <= v_count THEN 'daily_credit_cap' ELSE 'insufficient_credits' END;
          END IF;
          v_outcome := CASE
            WHEN cardinality(v_parts) = 0 THEN 'released'
            WHEN v_account.status <> 'active' THEN v_account.status
            WHEN v_count > 0 THEN CASE WHEN v_next.ref = ANY (v_outside) THEN 'outside' ELSE 'reserved' END
            WHEN v_lacked = 'daily_credit_cap' THEN 'capped'
            ELSE 'insufficient'
          END;
          IF v_outcome = 'reserved' THEN
            IF v_first <> ALL (v_new) THEN
              IF v_held.ref IS NOT NULL THEN
                v_adopted := v_adopted || v_first; v_changed := array_remove(v_changed, v_first);
              END IF;
              v_new := v_new || v_first;
            END IF;
            v_parts := v_parts[1:v_count];
            v_reserved := v_next.unit * v_count;
            v_free := -least(v_account.free, v_reserved);
            v_purchased := -(v_reserved + v_free);
            v_held := (
              v_next.ref, v_account.account_id, v_next.unit, with_parts('', v_parts), '', coalesce(v_held.given_back, ''), '',
              -v_free, -v_purchased, v_account.free_month, v_lacked, v_next.key_id, p_now, NULL, v_next.reason,
              v_next.request_id, v_next.subject, v_next.job_id, v_months[v_next.item::integer]
            );
          ELSE
            v_parts := '{}';
            IF v_held.ref IS NULL THEN
              v_refused := v_refused || v_next.ref;
            END IF;
          END IF;
        ELSE
          v_parts := parts_that_are(v_held, '{held}', v_next.parts);
          v_reserved := -v_held.unit * cardinality(v_parts);
          IF v_next.kind = 'settle' THEN
            v_free := 0;
            v_purchased := 0;
            v_held.charged := with_parts(v_held.charged, v_parts);
            -- Free credits are spent first.
            v_count := least(v_held.held_free, -v_reserved);
            v_held.held_free := v_held.held_free - v_count;
            v_held.held_purchased := v_held.held_purchased + v_reserved + v_count;
          ELSE
            -- Also parts that are not held, so that they are never charged later.
            v_held.given_back := with_parts(v_held.given_back, parts_that_are(v_held, '{held,none}', v_next.parts));
            v_purchased := least(v_held.held_purchased, -v_reserved);
            v_count := -v_reserved - v_purchased;
            v_held.held_purchased := v_held.held_purchased - v_purchased;
            v_held.held_free := v_held.held_free - v_count;
            -- Free credits come back within their month only.
            v_free := CASE WHEN v_held.free_month = greatest(v_account.free_month, v_month) THEN v_count ELSE 0 END;
          END IF;
          IF v_held.held_free + v_held.held_purchased = 0 THEN
            v_held.resolved_at := coalesce(v_held.resolved_at, p_now);
          END IF;
          IF (v_held.charged, v_held.given_back) <> ((v_holdings[v_first]).charged, (v_holdings[v_first]).given_back) THEN
            v_holdings[v_first] := v_held;
            IF v_first <> ALL (v_new || v_changed) THEN
              v_changed := v_changed || v_first;
            END IF;
          END IF;
          v_outcome := CASE
            WHEN cardinality(parts_that_are(v_held, '{charged}', v_next.parts)) > 0 THEN 'settled' ELSE 'released'
          END;
        END IF;

        IF v_reserved <> 0 THEN
          v_account.free := v_account.free + v_free;
          v_account.purchased := v_account.purchased + v_purchased;
          v_account.reserved := v_account.reserved + v_reserved;
          v_account.version := v_account.version + 1;
          v_is_line := v_free + v_purchased + v_reserved <> 0;
          v_account.lines := v_account.lines + v_is_line::integer;
          v_holdings[v_first] := v_held;
          v_entries := v_entries || (
            v_account.account_id, v_account.version, v_next.kind, v_next.ref, v_free, v_purchased, v_reserved,
            v_account.free, v_account.purchased, v_account.reserved, v_held.reason, v_held.key_id,
            coalesce(v_held.request_id, v_next.request_id), p_now,
            CASE WHEN v_next.kind <> 'reserve' THEN v_held.subject END, CASE WHEN v_is_line THEN v_account.lines END,
            CASE WHEN v_next.kind <> 'reserve' THEN v_parts END, v_held.job_id, v_account.period
          )::booked_entry;
          IF v_has_caps AND v_held.key_id IS NOT NULL AND v_next.kind <> 'settle' AND day_of(v_held.created_at) = v_today THEN
            -- The next call sees what a release gives back to a key that shares another's limit.
            v_key := array_position(
              v_keys, key_of_account(v_account.account_id, coalesce(v_next.limit_id, v_held.key_id))
            );
            IF v_key IS NOT NULL THEN
              v_used[v_key] := v_used[v_key] + v_reserved;
            END IF;
          END IF;
          IF v_next.kind = 'release' THEN
            v_held.held_free := v_count;
            v_held.held_purchased := v_purchased;
            v_released := v_released || v_held;
          END IF;
          IF v_purchased > 0 THEN
            v_account := release_pays_debt(v_account, v_next.ref, v_purchased, p_now);
          END IF;
          v_accounts[v_place] := v_account;
        END IF;
        v_answers := v_answers || (
          v_next.item, v_outcome, v_account.account_id, v_account.free, v_account.purchased, v_account.reserved,
          v_account.version, v_account.free_month, coalesce(v_account.has_events, false),
          CASE
            WHEN v_next.kind = 'reserve' THEN v_parts
            WHEN (v_holdings[v_first]).resolved_at IS NULL
              THEN parts_that_are(v_holdings[v_first], '{held}', parts_of((v_holdings[v_first]).parts))
            ELSE '{}'
          END,
          CASE
            WHEN v_next.kind = 'reserve' OR v_outcome <> 'settled' THEN '{}'
            ELSE parts_that_are(v_holdings[v_first], '{charged}', v_next.parts)
          END,
          v_lacked, v_cap_left - v_reserved
        )::ledger_answer;
      END LOOP;

      -- 4. Check what is not written, then save and check the rest.
      IF cardinality(v_refused) > 0 THEN
        PERFORM FROM reservations WHERE ref = ANY (v_refused) AND ref_month BETWEEN v_first_month AND v_last_month;
        IF FOUND THEN
          RAISE SQLSTATE 'LE002';
        END IF;
      END IF;
      IF cardinality(v_repeated) > 0 THEN
        PERFORM FROM (SELECT v_before[i] AS was FROM unnest(v_repeated) AS i OFFSET 0) AS n, reservations AS r
        WHERE r.ref = (n.was).ref AND r.ref_month BETWEEN v_first_month AND v_last_month
          AND (r.charged, r.given_back) <> ((n.was).charged, (n.was).given_back);
        IF FOUND THEN
          RAISE SQLSTATE 'LE002';
        END IF;
      END IF;
      IF v_has_limits THEN
        PERFORM save_limits(v_operations, v_entered_ids);
      END IF;
      IF NOT save_operations(
        v_accounts, v_entries, v_before, v_holdings, v_new, v_adopted, v_changed, v_released, v_first_month, v_last_month, p_now
      ) THEN
        RAISE SQLSTATE 'LE002';
      END IF;
      EXIT;
    EXCEPTION
      -- An account is locked: undo the locks and take all of them in order. These locks last until the commit, also if a later attempt is
      -- undone.
      WHEN SQLSTATE 'LE001' THEN
        v_in_turn := true;
        PERFORM enter_in_turn(array_remove(v_account_ids, NULL), p_now);
      -- Another call has changed a reservation since step 1.
      WHEN SQLSTATE 'LE002' OR unique_violation THEN
        GET STACKED DIAGNOSTICS v_table = TABLE_NAME;
        v_repeats := v_repeats + 1;
        -- More repeats mean that this transaction cannot see what others commit.
        IF (v_table <> '' AND v_table NOT LIKE 'reservations%') OR v_repeats > 2 * cardinality(v_refs) THEN
          RAISE;
        END IF;
        -- Many calls end parts of one ref at once: from now on the others wait.
        IF NOT v_in_turn AND array_position(v_account_ids, NULL) IS NULL THEN
          v_in_turn := true;
          PERFORM enter_in_turn(v_account_ids, p_now);
        END IF;
      WHEN check_violation THEN
        -- The month of a new ref may not be open: that operation is answered `outside`, and the others are tried again.
        IF v_outside <> '{}' OR refs_outside(v_refs) = '{}' THEN
          RAISE;
        END IF;
        v_outside := refs_outside(v_refs);
    END;
  END LOOP;
  FOREACH v_answer IN ARRAY v_answers LOOP
    RETURN NEXT v_answer;
  END LOOP;
END
$$;
