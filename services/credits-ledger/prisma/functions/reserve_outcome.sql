-- What a reserve comes to, `p_held` being what its ref holds already and `p_used` what its key has used of the day's cap;
-- both may be NULL.
CREATE OR REPLACE FUNCTION reserve_outcome(
  p_account booked_account, p_held booked_reservation, p_amount bigint, p_used bigint, p_cap bigint
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
