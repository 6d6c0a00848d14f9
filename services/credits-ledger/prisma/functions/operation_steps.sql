-- The steps of `apply_operations`. Each decides one operation from the reservation and the account that it is given, and reads no table.
-- `unchanged` is a step that changes no balance.
CREATE OR REPLACE FUNCTION unchanged(
  p_outcome text, p_reservation booked_reservation, p_held smallint[] DEFAULT '{}', p_lacked text DEFAULT NULL
) RETURNS ledger_step LANGUAGE sql IMMUTABLE AS $$
  SELECT (p_outcome, p_reservation, 0, 0, 0, NULL, p_held, '{}', p_lacked)::ledger_step
$$;

-- Holds as many parts as the credits and the cap cover, in order, free credits first; no part that was given back before. `p_month` is the
-- month of the ref, or NULL if it is not open.
CREATE OR REPLACE FUNCTION hold_parts(
  p_operation ledger_operation, p_reservation booked_reservation, p_account accounts, p_cap_left bigint, p_month date,
  p_now timestamptz
) RETURNS ledger_step LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_parts smallint[] := CASE
    WHEN p_reservation.ref IS NULL THEN p_operation.parts ELSE parts_that_are(p_reservation, '{none}', p_operation.parts)
  END;
  v_covered bigint := (p_account.free::bigint + p_account.purchased) / p_operation.unit;
  v_count integer := greatest(0, least(cardinality(v_parts), p_cap_left / p_operation.unit));
  v_lacked text;
  v_outcome text;
  v_price integer;
  v_free integer;
BEGIN
  v_count := CASE WHEN v_covered >= v_count THEN v_count WHEN p_operation.coverage = 'all' THEN 0 ELSE v_covered END;
  IF v_count < cardinality(v_parts) THEN
    v_lacked := CASE WHEN p_cap_left / p_operation.unit <= v_count THEN 'daily_credit_cap' ELSE 'insufficient_credits' END;
  END IF;
  v_outcome := CASE
    WHEN cardinality(v_parts) = 0 THEN 'released'
    WHEN p_account.status <> 'active' THEN p_account.status
    WHEN v_count > 0 THEN CASE WHEN p_month IS NULL THEN 'outside' ELSE 'reserved' END
    WHEN v_lacked = 'daily_credit_cap' THEN 'capped'
    ELSE 'insufficient'
  END;
  IF v_outcome <> 'reserved' THEN
    RETURN unchanged(v_outcome, p_reservation, '{}', v_lacked);
  END IF;
  v_parts := v_parts[1:v_count];
  v_price := p_operation.unit * v_count;
  v_free := least(p_account.free, v_price);
  RETURN (
    v_outcome, (
      p_operation.ref, p_account.account_id, p_operation.unit, with_parts('', v_parts), '', coalesce(p_reservation.given_back, ''), '',
      v_free, v_price - v_free, p_account.free_month, v_lacked, p_operation.key_id, p_now, NULL, p_operation.reason,
      p_operation.request_id, p_operation.subject, p_operation.job_id, p_month
    )::booked_reservation, -v_free, v_free - v_price, v_price, NULL, v_parts, '{}', v_lacked
  )::ledger_step;
END
$$;

-- Answers a reserve of a known ref, which holds nothing new.
CREATE OR REPLACE FUNCTION repeat_hold(p_operation ledger_operation, p_reservation booked_reservation)
RETURNS ledger_step LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_parts smallint[] := parts_that_are(p_reservation, '{held,charged}', p_operation.parts);
BEGIN
  IF (p_reservation.account_id, p_reservation.unit) IS DISTINCT FROM (p_operation.account_id, p_operation.unit) THEN
    RETURN unchanged('conflict', p_reservation);
  END IF;
  RETURN unchanged(
    CASE
      WHEN cardinality(v_parts) = 0 THEN 'released'
      WHEN cardinality(parts_that_are(p_reservation, '{charged}', v_parts)) = cardinality(v_parts) THEN 'settled'
      ELSE 'reserved'
    END,
    p_reservation, v_parts, CASE WHEN cardinality(v_parts) < cardinality(p_operation.parts) THEN p_reservation.lacked END
  );
END
$$;

-- Charges parts that are held (settle), from free credits first, or gives them back (release), to their buckets. Free credits come back
-- in their month only: `p_free_month` is the account's.
CREATE OR REPLACE FUNCTION resolve_parts(
  p_operation ledger_operation, p_reservation booked_reservation, p_free_month text, p_now timestamptz
) RETURNS ledger_step LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_parts smallint[] := parts_that_are(p_reservation, '{held}', p_operation.parts);
  v_price integer := p_reservation.unit * cardinality(v_parts);
  v_free integer;
  v_charged smallint[];
  v_is_release boolean := p_operation.kind = 'release';
BEGIN
  IF v_is_release THEN
    -- Also parts that are not held, so that they are never charged later.
    p_reservation.given_back := with_parts(
      p_reservation.given_back, parts_that_are(p_reservation, '{held,none}', p_operation.parts)
    );
    v_free := v_price - least(p_reservation.held_purchased, v_price);
  ELSE
    p_reservation.charged := with_parts(p_reservation.charged, v_parts);
    v_free := least(p_reservation.held_free, v_price);
  END IF;
  p_reservation.held_free := p_reservation.held_free - v_free;
  p_reservation.held_purchased := p_reservation.held_purchased - (v_price - v_free);
  IF p_reservation.held_free + p_reservation.held_purchased = 0 THEN
    p_reservation.resolved_at := coalesce(p_reservation.resolved_at, p_now);
  END IF;
  v_charged := parts_that_are(p_reservation, '{charged}', p_operation.parts);
  RETURN (
    CASE WHEN cardinality(v_charged) > 0 THEN 'settled' ELSE 'released' END, p_reservation,
    CASE WHEN v_is_release AND p_reservation.free_month = p_free_month THEN v_free ELSE 0 END,
    CASE WHEN v_is_release THEN v_price - v_free ELSE 0 END, -v_price, v_parts,
    CASE
      WHEN p_reservation.resolved_at IS NULL THEN parts_that_are(p_reservation, '{held}', parts_of(p_reservation.parts)) ELSE '{}'
    END,
    v_charged, NULL
  )::ledger_step;
END
$$;

-- Resolves parts of a ref without an account. A release leaves a tombstone, so that a late reserve does not hold the parts.
CREATE OR REPLACE FUNCTION resolve_unknown(
  p_operation ledger_operation, p_reservation booked_reservation, p_free_month text, p_month date, p_now timestamptz
) RETURNS ledger_step LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_outcome text := CASE WHEN p_reservation.ref IS NULL THEN 'unknown' ELSE 'released' END;
BEGIN
  IF p_operation.kind = 'release' AND p_month IS NOT NULL THEN
    IF p_reservation.ref IS NULL THEN
      p_reservation := (
        p_operation.ref, NULL, 0, '', '', '', '', 0, 0, p_free_month, NULL, NULL, p_now, p_now, NULL, NULL, NULL, NULL, p_month
      );
    END IF;
    p_reservation.given_back := with_parts(p_reservation.given_back, p_operation.parts);
  END IF;
  RETURN unchanged(v_outcome, p_reservation);
END
$$;

-- The entry of a step; `p_account` is the account after it.
CREATE OR REPLACE FUNCTION entry_of(
  p_operation ledger_operation, p_step ledger_step, p_account accounts, p_now timestamptz
) RETURNS booked_entry LANGUAGE sql IMMUTABLE AS $$
  SELECT (
    p_account.account_id, p_account.version, p_operation.kind, p_operation.ref, p_step.free, p_step.purchased, p_step.reserved,
    p_account.free, p_account.purchased, p_account.reserved, (p_step.reservation).reason, (p_step.reservation).key_id,
    coalesce((p_step.reservation).request_id, p_operation.request_id), p_now,
    CASE WHEN p_operation.kind <> 'reserve' THEN (p_step.reservation).subject END,
    CASE WHEN p_step.free + p_step.purchased + p_step.reserved <> 0 THEN p_account.lines END,
    p_step.parts, (p_step.reservation).job_id, p_account.period
  )::booked_entry
$$;
