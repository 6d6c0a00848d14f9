-- Grants a purchase as a block, once for each ref. Outcomes of `grant_credits`; a ref of another account is a conflict.
CREATE OR REPLACE FUNCTION grant_purchase(
  p_account_id uuid, p_ref text, p_amount integer, p_request_id text, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_answer ledger_answer;
  v_nobody accounts;
BEGIN
  IF EXISTS (SELECT FROM blocks WHERE ref = p_ref AND (account_id, amount) <> (p_account_id, p_amount)) THEN
    RETURN answer_of('conflict', v_nobody, false);
  END IF;
  v_answer := grant_credits(p_account_id, p_ref, p_amount, 'purchase', p_request_id, p_now);
  IF v_answer.outcome = 'granted' THEN
    INSERT INTO blocks (ref, account_id, amount, net, granted_at)
    VALUES (p_ref, p_account_id, p_amount, p_amount, p_now) ON CONFLICT (ref) DO NOTHING;
  END IF;
  RETURN v_answer;
END
$$;

-- Sets a block to the worth of its purchase, whatever was spent of it and whatever the account's status. A dispute or refund takes credits,
-- into debt if necessary; a failed one releases them. A repeat changes nothing. Outcomes: corrected; unknown; busy.
CREATE OR REPLACE FUNCTION correct_block(
  p_account_id uuid, p_ref text, p_net integer, p_reason text, p_request_id text,
  p_now timestamptz DEFAULT clock_timestamp()
) RETURNS ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_account accounts := enter_account(p_account_id, p_now);
  v_version_before bigint;
  v_block blocks;
  v_outcome text := 'unknown';
BEGIN
  v_version_before := v_account.version;
  v_account := grant_month(v_account, p_now);
  SELECT * INTO v_block FROM blocks WHERE ref = p_ref AND account_id = v_account.account_id;
  IF FOUND THEN
    v_outcome := 'corrected';
    v_account := change_block(v_account, v_block, p_net, p_reason, p_request_id, p_now);
  END IF;
  PERFORM save_account(v_account);
  RETURN answer_of(busy_or(v_outcome, v_account), v_account, v_account.version > v_version_before);
END
$$;

-- Sets the net amount of a block of a locked account. Credits that are spent already become debt, and returned credits pay debt first. The
-- entry is a `purchase_refund` or a `dispute`, or a grant if that has ended. Saves the block; the caller saves the returned account.
CREATE OR REPLACE FUNCTION change_block(
  p_account accounts, p_block blocks, p_net integer, p_reason text, p_request_id text, p_now timestamptz
) RETURNS accounts LANGUAGE plpgsql AS $$
DECLARE
  v_change integer := p_net - p_block.net;
  v_kind text := CASE p_reason WHEN 'refund' THEN 'purchase_refund' ELSE p_reason END;
  v_ref text := format('%s:%s', p_block.ref, p_block.changes + 1);
BEGIN
  IF v_change = 0 THEN
    RETURN p_account;
  END IF;
  UPDATE blocks SET net = p_net, changes = changes + 1 WHERE ref = p_block.ref;
  IF v_change < 0 THEN
    p_account := take_on_debt(p_account, p_reason || ':' || v_ref, -v_change, p_request_id, p_now);
    RETURN append_entry(p_account, v_kind, v_ref, 0, v_change, 0, p_reason, NULL, p_request_id, p_now);
  END IF;
  p_account := append_entry(
    p_account, 'grant', v_ref, 0, v_change, 0, p_reason || '_ended', NULL, p_request_id, p_now
  );
  PERFORM emit_granted(p_account.account_id, 'purchased', v_change, v_ref);
  RETURN pay_debt(p_account, 'grant:' || v_ref, v_change, p_now);
END
$$;

-- The credits left of a block. Purchased credits are spent in the order of purchase, after credits that were not bought, so an account's
-- credits less its debt fill its newest block first. A block is untouched if its whole net amount is left.
CREATE OR REPLACE FUNCTION left_of_block(p_account accounts, p_block blocks) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT greatest(0, least(
    p_block.net,
    p_account.purchased - p_account.debt - (
      SELECT coalesce(sum(b.net), 0)::integer FROM blocks AS b
      WHERE b.account_id = p_block.account_id AND b.number > p_block.number
    )
  ))
$$;

-- Takes an untouched block back, before its money is returned. Outcomes: taken, also if repeated; used; in_debt (the account owes credits,
-- which this block would pay); unknown; busy.
CREATE OR REPLACE FUNCTION take_back_block(
  p_account_id uuid, p_ref text, p_request_id text, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_account accounts := enter_account(p_account_id, p_now);
  v_month_before text := v_account.free_month;
  v_block blocks;
  v_outcome text := 'taken';
BEGIN
  v_account := grant_month(v_account, p_now);
  SELECT * INTO v_block FROM blocks WHERE ref = p_ref AND account_id = v_account.account_id;
  IF v_block.ref IS NULL THEN
    v_outcome := 'unknown';
  ELSIF v_block.net > 0 AND v_account.debt > 0 THEN
    v_outcome := 'in_debt';
  ELSIF left_of_block(v_account, v_block) < v_block.amount AND v_block.net > 0 THEN
    v_outcome := 'used';
  ELSE
    v_account := change_block(v_account, v_block, 0, 'refund', p_request_id, p_now);
  END IF;
  PERFORM save_account(v_account);
  RETURN answer_of(busy_or(v_outcome, v_account), v_account, v_account.free_month > v_month_before);
END
$$;
