-- Tells that an account has fallen below its threshold, in the statement that spends or takes the credits: once, until it has reached the
-- threshold again. Credits that are only held may come back, so holding them alone tells nothing. A threshold that was changed is
-- told of at once where the account has less already.
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
