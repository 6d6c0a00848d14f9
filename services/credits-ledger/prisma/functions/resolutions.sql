-- Charges held items of a ref (settle) or releases items (release), once each. Items that are released are never held or charged later.
-- Outcomes: settled (some of the items are charged); released; unknown (the ref has no reservation; a release leaves a tombstone, so that
-- a late reserve does not hold the items); busy.
CREATE OR REPLACE FUNCTION resolve_items(
  p_kind text, p_ref text, p_items smallint[], p_request_id text, p_wait_ms integer, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '1s'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_account_id uuid;
  v_account accounts;
  v_month_before text;
  v_outcome text;
  v_answer ledger_answer;
BEGIN
  LOOP
    -- Not locked: the account is locked first. A reservation never changes its account.
    SELECT account_id INTO v_account_id FROM reservations WHERE ref_month = month_of_ref(p_ref) AND ref = p_ref;
    EXIT WHEN v_account_id IS NOT NULL;
    v_outcome := CASE WHEN FOUND THEN 'released' ELSE 'unknown' END;
    IF p_kind = 'settle' OR leave_tombstone(p_ref, p_items, p_now) THEN
      RETURN answer_of(v_outcome, v_account, false, '{}', '{}');
    END IF;
  END LOOP;
  v_account := enter_account(v_account_id, p_now, p_wait_ms);
  IF v_account.account_id IS NULL THEN
    v_account.account_id := v_account_id;
    RETURN answer_of('busy', v_account, false);
  END IF;
  v_month_before := v_account.free_month;
  v_account := grant_month(v_account, p_now);
  v_answer := resolve_held(p_kind, lock_reservation(p_ref), v_account, p_items, p_request_id, p_now);
  v_answer.has_events := v_account.free_month > v_month_before;
  RETURN v_answer;
END
$$;

-- Charges held items, free credits first, or releases them, free credits last and within their month only.
CREATE OR REPLACE FUNCTION resolve_held(
  p_kind text, p_of reservations, p_account accounts, p_items smallint[], p_request_id text, p_now timestamptz
) RETURNS ledger_answer LANGUAGE plpgsql AS $$
DECLARE
  v_items smallint[] := items_that_are(p_of, '{held}', p_items);
  v_credits integer := p_of.unit * cardinality(v_items);
  v_free integer := least(p_of.held_free, v_credits);
  v_charged smallint[];
BEGIN
  IF p_kind = 'settle' THEN
    p_of.charged := with_items(p_of.charged, v_items);
  ELSE
    v_free := v_credits - least(p_of.held_purchased, v_credits);
    p_of.released := with_items(p_of.released, items_that_are(p_of, '{held,none}', p_items));
  END IF;
  p_of.held_free := p_of.held_free - v_free;
  p_of.held_purchased := p_of.held_purchased - (v_credits - v_free);
  p_of.resolved_at := CASE WHEN p_of.held_free + p_of.held_purchased = 0 THEN coalesce(p_of.resolved_at, p_now) END;
  UPDATE reservations
  SET charged = p_of.charged, released = p_of.released, held_free = p_of.held_free,
      held_purchased = p_of.held_purchased, resolved_at = p_of.resolved_at
  WHERE ref_month = p_of.ref_month AND ref = p_of.ref AND (charged, released) <> (p_of.charged, p_of.released);
  IF v_credits > 0 AND p_kind = 'settle' THEN
    p_account := book_items(p_account, p_of, 'settle', 0, 0, -v_credits, v_items, p_request_id, p_now);
  ELSIF v_credits > 0 THEN
    p_account := book_items(
      p_account, p_of, 'release', CASE WHEN p_of.free_month = greatest(p_account.free_month, month_of(p_now)) THEN v_free ELSE 0 END,
      v_credits - v_free, -v_credits, v_items, p_request_id, p_now
    );
    p_account := pay_debt(p_account, 'release:' || p_of.ref || ':' || p_account.version, v_credits - v_free, p_now);
  END IF;
  PERFORM save_account(p_account);
  v_charged := items_that_are(p_of, '{charged}', p_items);
  RETURN answer_of(
    CASE WHEN cardinality(v_charged) > 0 THEN 'settled' ELSE 'released' END, p_account, false,
    CASE WHEN p_of.resolved_at IS NULL THEN items_that_are(p_of, '{held}', items_of(p_of.items)) ELSE '{}' END, v_charged
  );
END
$$;

-- Marks items of a ref that is not reserved as released. Returns false if another transaction has reserved it meanwhile.
CREATE OR REPLACE FUNCTION leave_tombstone(p_ref text, p_items smallint[], p_now timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  -- Without an open month it cannot be reserved either.
  IF NOT month_is_open(month_of_ref(p_ref)) THEN
    RETURN true;
  END IF;
  UPDATE reservations SET released = with_items(released, p_items)
  WHERE ref_month = month_of_ref(p_ref) AND ref = p_ref AND account_id IS NULL;
  IF NOT FOUND THEN
    INSERT INTO reservations VALUES (
      p_ref, NULL, 0, '', '', with_items('', p_items), '', 0, 0, month_of(p_now), NULL, NULL, p_now, p_now, NULL, NULL, NULL, NULL,
      month_of_ref(p_ref)
    ) ON CONFLICT DO NOTHING;
  END IF;
  RETURN FOUND;
END
$$;
