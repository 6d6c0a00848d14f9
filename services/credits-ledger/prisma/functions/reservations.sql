-- Holds items for an account, as many as its balance and the caps of its key and person allow, in order; changes nothing under a reserved ref. The request
-- also has: unit (price of an item), coverage (all: hold nothing unless the credits cover all items within the cap; some), limit_id (the
-- key whose day a rotated one shares). `p_wait_ms`: for a locked account. `p_now` is an argument for tests. Outcomes: reserved; settled,
-- released (none of the items is held: charged or released before); capped; insufficient; frozen; closed; conflict (a ref or key of
-- another); outside (no such month); busy (the account is locked, or the key's person is not known yet; nothing changed).
CREATE OR REPLACE FUNCTION reserve_items(p_request jsonb, p_wait_ms integer, p_now timestamptz DEFAULT clock_timestamp())
RETURNS ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '1s'
-- A connection plans each statement once, perhaps while the tables are still small.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_request items_request := jsonb_populate_record(NULL::items_request, p_request);
  v_account accounts := enter_account(v_request.account_id, p_now, p_wait_ms);
  v_month_before text := v_account.free_month;
  v_of reservations;
  v_answer ledger_answer;
BEGIN
  IF v_account.account_id IS NULL OR lacks_person(v_request) THEN
    v_account.account_id := v_request.account_id;
    RETURN answer_of('busy', v_account, false);
  END IF;
  v_account := grant_month(v_account, p_now);
  WHILE v_answer.outcome IS NULL LOOP
    v_of := lock_reservation(v_request.ref);
    IF is_conflict(v_request, v_of) THEN
      v_answer := answer_of('conflict', v_account, false, '{}', '{}', NULL, cap_left(v_request, p_now));
    ELSIF v_of.account_id IS NOT NULL THEN
      v_answer := repeat_reserve(v_request, v_of, v_account, p_now);
    ELSE
      v_answer := hold_items(v_request, v_of, v_account, p_now);
    END IF;
  END LOOP;
  v_answer.has_events := v_account.free_month > v_month_before;
  RETURN v_answer;
END
$$;

-- The reservation of a ref, locked until the transaction ends; all columns are NULL if there is none.
CREATE OR REPLACE FUNCTION lock_reservation(p_ref text) RETURNS reservations LANGUAGE sql AS $$
  SELECT * FROM reservations WHERE ref_month = month_of_ref(p_ref) AND ref = p_ref FOR UPDATE
$$;

-- Whether a request names the ref or the key of another account, or another price.
CREATE OR REPLACE FUNCTION is_conflict(p_request items_request, p_of reservations) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p_of.account_id IS NOT NULL AND (p_of.account_id, p_of.unit) <> (p_request.account_id, p_request.unit)
    OR EXISTS (SELECT FROM key_owners WHERE key_id = p_request.key_id AND account_id <> p_request.account_id)
$$;

-- The answer to a reserve of a reserved ref.
CREATE OR REPLACE FUNCTION repeat_reserve(p_request items_request, p_of reservations, p_account accounts, p_now timestamptz)
RETURNS ledger_answer LANGUAGE plpgsql AS $$
DECLARE
  v_items smallint[] := items_that_are(p_of, '{held,charged}', p_request.items);
BEGIN
  RETURN answer_of(
    CASE
      WHEN cardinality(v_items) = 0 THEN 'released'
      WHEN items_that_are(p_of, '{charged}', v_items) = v_items THEN 'settled'
      ELSE 'reserved'
    END,
    p_account, false, v_items, '{}', CASE WHEN v_items <> p_request.items THEN p_of.lacked END, cap_left(p_request, p_now)
  );
END
$$;

-- Holds items of a ref that is not reserved. Returns NULL if another transaction has released it meanwhile.
CREATE OR REPLACE FUNCTION hold_items(p_request items_request, p_of reservations, p_account accounts, p_now timestamptz)
RETURNS ledger_answer LANGUAGE plpgsql AS $$
DECLARE
  v_is_known boolean := p_of.ref IS NOT NULL;
  v_items smallint[] := items_that_are(p_of, '{none}', p_request.items);
  v_wanted integer := cardinality(v_items);
  v_person_left bigint := person_cap_left(p_request, p_now);
  v_key_left bigint := cap_left(p_request, p_now);
  v_cap_left bigint := least(v_key_left, v_person_left);
  v_covered bigint := (p_account.free::bigint + p_account.purchased) / p_request.unit;
  v_count integer := greatest(0, least(v_wanted, v_cap_left / p_request.unit));
  v_lacked text;
  v_refusal text;
  v_credits integer;
  v_free integer;
BEGIN
  v_count := CASE WHEN v_covered >= v_count THEN v_count WHEN p_request.coverage = 'all' THEN 0 ELSE v_covered END;
  IF v_count < v_wanted THEN
    v_lacked := CASE
      WHEN v_cap_left / p_request.unit > v_count OR v_cap_left IS NULL THEN 'insufficient_credits'
      WHEN v_person_left <= v_cap_left THEN 'person_credit_cap'
      ELSE 'daily_credit_cap'
    END;
  END IF;
  v_refusal := CASE
    WHEN v_wanted = 0 THEN 'released'
    WHEN p_account.status <> 'active' THEN p_account.status
    WHEN v_count = 0 THEN CASE v_lacked WHEN 'insufficient_credits' THEN 'insufficient' ELSE 'capped' END
    WHEN NOT month_is_open(month_of_ref(p_request.ref)) THEN 'outside'
  END;
  IF v_refusal IS NOT NULL THEN
    RETURN answer_of(v_refusal, p_account, false, '{}', '{}', v_lacked, v_cap_left);
  END IF;
  v_items := v_items[1:v_count];
  v_credits := p_request.unit * v_count;
  v_free := least(p_account.free, v_credits);
  p_of := (
    p_request.ref, p_account.account_id, p_request.unit, with_items('', v_items), '', coalesce(p_of.released, ''), '', v_free,
    v_credits - v_free, p_account.free_month, v_lacked, p_request.key_id, p_now, NULL, p_request.reason, p_request.request_id,
    p_request.subject, p_request.job_id, month_of_ref(p_request.ref)
  );
  IF NOT save_reservation(p_request, p_of, v_is_known) THEN
    RETURN NULL;
  END IF;
  p_account := book_items(p_account, p_of, 'reserve', -v_free, v_free - v_credits, v_credits, NULL, p_request.request_id, p_now);
  PERFORM save_account(p_account);
  RETURN answer_of('reserved', p_account, false, v_items, '{}', v_lacked, v_cap_left - v_credits);
END
$$;

-- Saves a new reservation, or changes one that is locked, and whether its key shares the limit of another. Returns false if another
-- transaction has saved the ref meanwhile.
CREATE OR REPLACE FUNCTION save_reservation(p_request items_request, p_of reservations, p_is_known boolean)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF p_request.limit_id IS NOT NULL THEN
    INSERT INTO key_limits (account_id, limit_id, key_id)
    VALUES (p_request.account_id, p_request.limit_id, p_request.key_id) ON CONFLICT DO NOTHING;
  END IF;
  IF p_is_known THEN
    DELETE FROM reservations WHERE ref_month = p_of.ref_month AND ref = p_of.ref;
  END IF;
  INSERT INTO reservations SELECT p_of.* ON CONFLICT DO NOTHING;
  RETURN FOUND;
END
$$;
