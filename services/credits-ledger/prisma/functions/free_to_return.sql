-- What a release gives back: free credits only within their month, which for no account lies before the clock's.
CREATE OR REPLACE FUNCTION free_to_return(p_held booked_reservation, p_account booked_account, p_month text)
RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_held.free_month = greatest(p_account.free_month, p_month) THEN p_held.from_free ELSE 0 END
$$;
