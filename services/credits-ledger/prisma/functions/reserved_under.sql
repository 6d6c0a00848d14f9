-- What is kept of a ref, locked until the transaction ends; all columns are null if nothing is.
CREATE OR REPLACE FUNCTION reserved_under(p_ref text) RETURNS booked_reservation LANGUAGE sql AS $$
  SELECT ref, account_id, unit, parts, charged, given_back, refunded, held_free, held_purchased, free_month, lacked, key_id,
         created_at, resolved_at, reason, request_id, subject, job_id, ref_month
  FROM reservations WHERE ref_month = month_of_ref(p_ref) AND ref = p_ref FOR UPDATE
$$;
