-- Sets the threshold below which an account gets a low-balance event; NULL is never. Compares the balance of this month. Returns false
-- for an older version, which changes nothing.
CREATE OR REPLACE FUNCTION set_low_threshold(
  p_account_id uuid, p_threshold integer, p_version bigint, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_account accounts := enter_account(p_account_id, p_now);
BEGIN
  IF v_account.account_id IS NULL THEN
    RAISE EXCEPTION 'the account % stays locked', p_account_id USING ERRCODE = 'lock_not_available';
  END IF;
  v_account := grant_month(v_account, p_now);
  UPDATE accounts
  SET low_threshold = p_threshold, low_threshold_version = p_version,
      is_low = is_low AND low_threshold IS NOT DISTINCT FROM p_threshold
  WHERE account_id = p_account_id AND low_threshold_version < p_version;
  RETURN FOUND;
END
$$;

-- Sets the threshold below which the holder is mailed; NULL is never.
CREATE OR REPLACE FUNCTION set_mail_threshold(p_account_id uuid, p_threshold integer) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT grant_month(enter_account(p_account_id, clock_timestamp()), clock_timestamp());
  UPDATE accounts
  SET mail_threshold = p_threshold, is_low_for_mail = is_low_for_mail AND mail_threshold IS NOT DISTINCT FROM p_threshold
  WHERE account_id = p_account_id
$$;

-- Emits that an account fell below its threshold, in the statement that spends or takes the credits, once until it reaches the threshold
-- again. Held credits may come back, so holding them emits nothing. A changed threshold emits at once if the account has less.
CREATE OR REPLACE FUNCTION watch_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_available bigint := NEW.free::bigint + NEW.purchased;
BEGIN
  IF v_available >= NEW.low_threshold THEN
    NEW.is_low := false;
  ELSIF NOT NEW.is_low AND (
    v_available + NEW.reserved < OLD.free::bigint + OLD.purchased + OLD.reserved
    OR OLD.low_threshold IS DISTINCT FROM NEW.low_threshold
  ) THEN
    NEW.is_low := true;
    PERFORM messaging.emit('evt.credits-ledger.balance-ran-low.v1', jsonb_build_object(
      'accountId', NEW.account_id, 'available', v_available, 'threshold', NEW.low_threshold, 'version', NEW.version
    ));
  END IF;
  RETURN NEW;
END
$$;

-- The same by the threshold of mails.
CREATE OR REPLACE FUNCTION watch_balance_for_mail() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_available bigint := NEW.free::bigint + NEW.purchased;
BEGIN
  IF v_available >= NEW.mail_threshold THEN
    NEW.is_low_for_mail := false;
  ELSIF NOT NEW.is_low_for_mail AND (
    v_available + NEW.reserved < OLD.free::bigint + OLD.purchased + OLD.reserved
    OR OLD.mail_threshold IS DISTINCT FROM NEW.mail_threshold
  ) THEN
    NEW.is_low_for_mail := true;
    PERFORM messaging.emit('evt.credits-ledger.balance-ran-low-for-mail.v1', jsonb_build_object(
      'accountId', NEW.account_id, 'available', v_available, 'threshold', NEW.mail_threshold
    ));
  END IF;
  RETURN NEW;
END
$$;

-- Sets the threshold below which billing refills the account; NULL is never. Returns false for an older version, which changes nothing.
CREATE OR REPLACE FUNCTION set_refill_threshold(p_account_id uuid, p_threshold integer, p_version bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms' AS $$
DECLARE
  v_now timestamptz := clock_timestamp();
  v_account accounts := enter_account(p_account_id, v_now);
BEGIN
  IF v_account.account_id IS NULL THEN
    RAISE EXCEPTION 'the account % stays locked', p_account_id USING ERRCODE = 'lock_not_available';
  END IF;
  v_account := grant_month(v_account, v_now);
  UPDATE accounts
  SET refill_threshold = p_threshold, refill_version = p_version,
      is_low_for_refill = is_low_for_refill AND refill_threshold IS NOT DISTINCT FROM p_threshold
  WHERE account_id = p_account_id AND refill_version < p_version;
  RETURN FOUND;
END
$$;

-- The same by the threshold of refills. Billing looks at balances itself, too, so that an account that stays below is found again.
CREATE OR REPLACE FUNCTION watch_balance_for_refill() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_available bigint := NEW.free::bigint + NEW.purchased;
BEGIN
  IF v_available >= NEW.refill_threshold THEN
    NEW.is_low_for_refill := false;
  ELSIF NOT NEW.is_low_for_refill AND (
    v_available + NEW.reserved < OLD.free::bigint + OLD.purchased + OLD.reserved
    OR OLD.refill_threshold IS DISTINCT FROM NEW.refill_threshold
  ) THEN
    NEW.is_low_for_refill := true;
    PERFORM messaging.emit('evt.credits-ledger.balance-ran-low-for-refill.v1', jsonb_build_object(
      'accountId', NEW.account_id, 'available', v_available, 'threshold', NEW.refill_threshold
    ));
  END IF;
  RETURN NEW;
END
$$;
