-- Applies a batch of operations in one statement and one commit. Each has kind (reserve, settle, release), ref, parts and request_id; a
-- reserve also account_id, unit (price of a part), coverage (all: hold nothing unless the credits cover all parts within the cap; some),
-- key_id, limit_id (the key whose day a rotated one shares), daily_cap, reason, subject, job_id. `p_now` is an argument for tests.
-- reserve: holds as many parts as fit, in order; changes nothing under a known ref. Outcomes: reserved; settled, released (none of the parts
--   is held: charged or given back before); capped; insufficient; frozen; closed; conflict (a ref or key of another); outside (no such month).
-- settle, release: charges parts or gives them back, once. Outcomes: settled (some parts are charged); released; unknown (no reservation;
--   a release then leaves a tombstone, so that a late reserve does not hold the parts). All: busy (account locked, nothing changed).
-- Steps: 1 reads operations, reservations and key owners, without locks; 2 locks the accounts that are free; 3 decides each operation in
-- memory (`operation_steps.sql`), unknown refs first, and collects entries and answers; 4 checks that reads still hold and saves all
-- (`operation_rows.sql`). On a locked account, or a change by another call, the block is undone, waits for the accounts in the order of
-- their ids, and repeats from step 1.
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
  -- The refs in the order of the operations. A ref's reservation stands at the index of its first operation; as read, and as decided.
  v_refs text[];
  v_before booked_reservation[];
  v_after booked_reservation[];
  -- The locked accounts, as they were and as decided.
  v_entered_ids uuid[];
  v_locked accounts[]; v_accounts accounts[];
  -- The credits used today under each limit; empty if no operation has a cap.
  v_has_caps boolean := jsonb_path_exists(p_operations, '$[*].daily_cap ? (@ != null)');
  v_keys text[];
  v_used bigint[];
  v_has_limits boolean;
  v_cap_left bigint;
  -- The current operation, and the indexes of its ref, account and key.
  v_next ledger_operation;
  v_first integer; v_place integer; v_key integer;
  v_account accounts;
  v_ref_month date;
  v_step ledger_step;
  -- The result: rows to save, indexes of refs whose rows were only read, and answers.
  v_entries booked_entry[];
  v_released booked_reservation[];
  v_read integer[];
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
      SELECT operations, refs, reservations, account_ids, has_limits
      INTO v_operations, v_refs, v_before, v_account_ids, v_has_limits
      FROM read_operations(p_operations, v_first_month, v_last_month);
      IF array_position(v_account_ids, NULL) IS NOT NULL THEN
        v_operations := ARRAY(SELECT o FROM unnest(v_operations) AS o ORDER BY o.account_id IS NOT NULL, o.item);
      END IF;
      -- 2. Lock the accounts that are free. Accounts that were entered in turn are locked by this call already.
      SELECT array_agg((l.a).account_id), array_agg(l.a) INTO v_entered_ids, v_locked
      FROM (SELECT a FROM accounts AS a WHERE account_id = ANY (v_account_ids) FOR UPDATE SKIP LOCKED) AS l;
      IF v_has_caps THEN
        SELECT keys, used INTO v_keys, v_used FROM used_on(v_today, v_operations);
      END IF;

      v_accounts := v_locked; v_after := v_before; v_entries := '{}'; v_released := '{}'; v_read := '{}'; v_answers := '{}';
      -- 3. Decide.
      FOREACH v_next IN ARRAY coalesce(v_operations, '{}') LOOP
        v_first := array_position(v_refs, v_next.ref);
        v_place := array_position(v_entered_ids, v_next.account_id);
        v_account := v_accounts[v_place];
        v_ref_month := CASE WHEN v_next.ref <> ALL (v_outside) THEN v_months[v_next.item::integer] END;
        v_cap_left := NULL;
        IF v_account.period < v_period OR (v_account.free_month < v_month AND v_account.status <> 'closed') THEN
          v_account := grant_month(v_account, p_now);
          PERFORM save_account(v_account);
          v_accounts[v_place] := v_account;
        END IF;
        IF v_has_caps AND v_next.daily_cap IS NOT NULL AND v_next.key_id IS NOT NULL THEN
          v_key := array_position(v_keys, key_of_account(v_next.account_id, coalesce(v_next.limit_id, v_next.key_id)));
          v_cap_left := v_next.daily_cap - coalesce(v_used[v_key], 0);
        END IF;

        IF v_next.account_id IS NULL THEN
          v_step := resolve_unknown(v_next, v_after[v_first], v_month, v_ref_month, p_now);
        ELSIF v_place IS NULL THEN
          IF NOT v_in_turn THEN
            RAISE SQLSTATE 'LE001';
          END IF;
          -- Still locked, or the account of a ref that was unknown at first: waiting for it out of order could deadlock.
          v_step := unchanged('busy', v_after[v_first]);
        ELSIF v_next.kind = 'lie' THEN
          v_step := unchanged('conflict', v_after[v_first]);
        ELSIF v_next.kind <> 'reserve' THEN
          v_step := resolve_parts(v_next, v_after[v_first], greatest(v_account.free_month, v_month), p_now);
        ELSIF (v_after[v_first]).account_id IS NOT NULL THEN
          v_step := repeat_hold(v_next, v_after[v_first]);
        ELSE
          v_step := hold_parts(v_next, v_after[v_first], v_account, v_cap_left, v_ref_month, p_now);
        END IF;

        v_after[v_first] := v_step.reservation;
        IF v_step.reserved <> 0 THEN
          v_account.free := v_account.free + v_step.free;
          v_account.purchased := v_account.purchased + v_step.purchased;
          v_account.reserved := v_account.reserved + v_step.reserved;
          v_account.version := v_account.version + 1;
          v_account.lines := v_account.lines + (v_step.free + v_step.purchased + v_step.reserved <> 0)::integer;
          v_entries := v_entries || entry_of(v_next, v_step, v_account, p_now);
          IF v_has_caps AND v_next.kind <> 'settle' AND day_of((v_step.reservation).created_at) = v_today THEN
            -- The next call sees what a release gives back to a key that shares another's limit.
            v_key := array_position(
              v_keys, key_of_account(v_account.account_id, coalesce(v_next.limit_id, (v_step.reservation).key_id))
            );
            IF v_key IS NOT NULL THEN
              v_used[v_key] := v_used[v_key] + v_step.reserved;
            END IF;
          END IF;
          IF v_next.kind = 'release' THEN
            v_step.reservation.held_free := 0; v_step.reservation.held_purchased := -v_step.reserved;
            v_released := v_released || v_step.reservation;
          END IF;
          IF v_step.purchased > 0 THEN
            v_account := pay_debt(v_account, 'release:' || v_next.ref || ':' || v_account.version, v_step.purchased, p_now);
          END IF;
          v_accounts[v_place] := v_account;
        ELSIF v_next.kind = 'reserve' AND v_step.outcome NOT IN ('busy', 'conflict') THEN
          v_read := v_read || v_first;
        END IF;
        v_answers := v_answers || (
          v_next.item, v_step.outcome, v_account.account_id, v_account.free, v_account.purchased, v_account.reserved,
          v_account.version, v_account.free_month, coalesce(v_account.free_month > (v_locked[v_place]).free_month, false),
          v_step.held, v_step.charged, v_step.lacked, v_cap_left - v_step.reserved
        )::ledger_answer;
      END LOOP;

      -- 4. Check what is not written, then save and check the rest.
      IF cardinality(v_read) > 0 AND NOT reads_hold(v_read, v_refs, v_before, v_first_month, v_last_month) THEN
        RAISE SQLSTATE 'LE002';
      END IF;
      IF v_has_limits THEN
        PERFORM save_limits(v_operations, v_entered_ids);
      END IF;
      IF NOT save_reservations(v_before, v_after, v_first_month, v_last_month) THEN
        RAISE SQLSTATE 'LE002';
      END IF;
      IF cardinality(v_entries) > 0 THEN
        PERFORM save_balances(v_accounts, v_entries, v_released, p_now);
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
