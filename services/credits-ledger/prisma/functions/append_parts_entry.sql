-- Writes one entry about parts of a reservation that are not held, and counts it on the day of its key. As `append_entry`.
CREATE OR REPLACE FUNCTION append_parts_entry(
  p_account accounts, p_of booked_reservation, p_kind text, p_free integer, p_purchased integer, p_parts smallint[],
  p_request_id text, p_now timestamptz
) RETURNS accounts LANGUAGE plpgsql AS $$
DECLARE
  v_charged integer := CASE WHEN p_kind = 'charge' THEN -(p_free + p_purchased) ELSE 0 END;
  v_settled integer := CASE WHEN p_kind = 'charge' THEN cardinality(p_parts) ELSE 0 END;
BEGIN
  INSERT INTO key_days AS k (account_id, day, key_id, credits_used, credits_charged, settled, job_rows, search_pages, lines)
  VALUES (
    p_account.account_id, day_of(p_now), key_or_nobody(p_of.key_id), v_charged, v_charged, v_settled,
    CASE WHEN p_of.job_id IS NOT NULL THEN v_settled ELSE 0 END, CASE WHEN p_of.reason = 'search' THEN v_settled ELSE 0 END, 1
  )
  ON CONFLICT (account_id, day, key_id) DO UPDATE
  SET credits_used = k.credits_used + excluded.credits_used, credits_charged = k.credits_charged + excluded.credits_charged,
      settled = k.settled + excluded.settled, job_rows = k.job_rows + excluded.job_rows,
      search_pages = k.search_pages + excluded.search_pages, lines = k.lines + excluded.lines;
  RETURN append_entry(
    p_account, p_kind, p_of.ref, p_free, p_purchased, 0, CASE WHEN p_kind = 'charge' THEN p_of.reason ELSE p_kind END,
    p_of.key_id, coalesce(p_of.request_id, p_request_id), p_now, p_of.subject, p_parts, p_of.job_id
  );
END
$$;
