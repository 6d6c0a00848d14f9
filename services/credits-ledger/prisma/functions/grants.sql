-- Begins the month of a locked account: its entries are kept there from now on, and its free bucket is set to 100 once. Does nothing if
-- the clock went back, and grants nothing to closed accounts. Saves both.
CREATE OR REPLACE FUNCTION grant_month(p_account accounts, p_now timestamptz) RETURNS accounts LANGUAGE plpgsql AS $$
DECLARE
  v_month text := month_of(p_now);
  v_amount integer := 100 - p_account.free;
BEGIN
  IF p_account.period < period_of(p_now) THEN
    p_account.period := period_of(p_now);
    UPDATE accounts SET period = p_account.period WHERE account_id = p_account.account_id;
    INSERT INTO account_months (account_id, period, lines_before)
    VALUES (p_account.account_id, p_account.period, p_account.lines);
  END IF;
  IF p_account.account_id IS NULL OR p_account.free_month >= v_month OR p_account.status = 'closed' THEN
    RETURN p_account;
  END IF;
  p_account.free_month := v_month;
  IF v_amount > 0 THEN
    PERFORM emit_granted(p_account.account_id, 'free', v_amount, v_month);
  END IF;
  p_account := append_entry(p_account, 'monthly_grant', v_month, v_amount, 0, 0, NULL, NULL, NULL, p_now);
  -- On its own: the balance may reach its threshold for a moment, before the operation that begins the month spends it.
  PERFORM save_account(p_account);
  RETURN p_account;
END
$$;

-- Adds purchased credits, once for each ref. Outcomes: granted, also if repeated; conflict (the ref granted another amount); closed.
-- Frozen accounts get credits.
CREATE OR REPLACE FUNCTION grant_credits(
  p_account_id uuid, p_ref text, p_amount integer, p_reason text, p_request_id text,
  p_now timestamptz DEFAULT clock_timestamp()
) RETURNS ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_account accounts := enter_account(p_account_id, p_now);
  v_month_before text := v_account.free_month;
  v_given integer;
  v_outcome text := 'granted';
  v_has_events boolean := false;
BEGIN
  IF p_amount <= 0 THEN
    RAISE EXCEPTION 'a grant adds at least one credit, not %', p_amount USING ERRCODE = 'check_violation';
  END IF;
  IF v_account.account_id IS NULL THEN
    RETURN answer_of('busy', v_account, false);
  END IF;
  v_account := grant_month(v_account, p_now);
  SELECT purchased_delta INTO v_given FROM entries
  WHERE account_id = p_account_id AND kind = 'grant' AND ref = p_ref AND reserved_delta = 0;
  IF FOUND THEN
    v_outcome := CASE WHEN v_given = p_amount THEN 'granted' ELSE 'conflict' END;
  ELSIF v_account.status = 'closed' THEN
    v_outcome := 'closed';
  ELSE
    v_account := append_entry(v_account, 'grant', p_ref, 0, p_amount, 0, p_reason, NULL, p_request_id, p_now);
    v_account := pay_debt(v_account, 'grant:' || p_ref, p_amount, p_now);
    PERFORM emit_granted(p_account_id, 'purchased', p_amount, p_ref);
    v_has_events := true;
  END IF;
  PERFORM save_account(v_account);
  RETURN answer_of(v_outcome, v_account, v_has_events OR v_account.free_month > v_month_before);
END
$$;

-- Gives a tenth of what a day's deliveries cost back as purchased credits, to the next `p_limit` accounts after `p_after` that were
-- charged at least ten; once for each account and day. Frozen accounts get them and stay frozen. Outcomes: granted; repeated; closed;
-- busy. The day must be over for a minute, so that no statement of that day still runs.
CREATE OR REPLACE FUNCTION grant_outage_credits(
  p_day date, p_after uuid, p_limit integer, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS SETOF ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_due record;
  v_ref text;
  v_account accounts;
  v_outcome text;
  v_month_before text;
BEGIN
  IF p_now < (p_day + 1)::timestamp AT TIME ZONE 'UTC' + interval '1 minute' THEN
    RAISE EXCEPTION 'the day % is not over', p_day USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  FOR v_due IN
    SELECT account_id, (sum(credits_charged) / 10)::integer AS amount
    FROM key_days WHERE day = p_day AND account_id > p_after
    GROUP BY account_id HAVING sum(credits_charged) >= 10
    ORDER BY account_id LIMIT p_limit
  LOOP
    v_ref := format('outage:%s:%s', v_due.account_id, to_char(p_day, 'YYYY-MM-DD'));
    v_account := enter_account(v_due.account_id, p_now);
    IF v_account.account_id IS NULL THEN
      v_account.account_id := v_due.account_id;
      RETURN NEXT answer_of('busy', v_account, false);
      CONTINUE;
    END IF;
    v_month_before := v_account.free_month;
    v_account := grant_month(v_account, p_now);
    v_outcome := CASE WHEN v_account.status = 'closed' THEN 'closed' ELSE 'granted' END;
    IF EXISTS (
      SELECT FROM entries
      WHERE account_id = v_due.account_id AND kind = 'grant' AND ref = v_ref AND reserved_delta = 0
    ) THEN
      v_outcome := 'repeated';
    ELSIF v_outcome = 'granted' THEN
      v_account := append_entry(v_account, 'grant', v_ref, 0, v_due.amount, 0, 'outage', NULL, NULL, p_now);
      v_account := pay_debt(v_account, 'grant:' || v_ref, v_due.amount, p_now);
      PERFORM emit_granted(v_due.account_id, 'purchased', v_due.amount, v_ref);
    END IF;
    PERFORM save_account(v_account);
    RETURN NEXT answer_of(v_outcome, v_account, v_outcome = 'granted' OR v_account.free_month > v_month_before);
  END LOOP;
END
$$;

-- Emits that an account received credits.
CREATE OR REPLACE FUNCTION emit_granted(p_account_id uuid, p_bucket text, p_amount integer, p_ref text)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM messaging.emit(
    'evt.credits-ledger.credits-granted.v1',
    jsonb_build_object('accountId', p_account_id, 'bucket', p_bucket, 'amount', p_amount, 'ref', p_ref)
  );
END
$$;
