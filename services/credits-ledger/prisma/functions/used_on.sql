-- What the keys that come with a cap, and those that share their days, have used on a day; in one row.
CREATE OR REPLACE FUNCTION used_on(p_day date, p_operations ledger_operation[])
RETURNS TABLE (keys text[], used bigint[]) LANGUAGE sql STABLE AS $$
  -- No join: planned while there are few, it would read all keys of the day for ever.
  SELECT array_agg(key_of_account(o.account_id, coalesce(o.limit_id, o.key_id))),
         array_agg(coalesce((
           SELECT sum(k.credits_used) FROM key_days AS k
           WHERE k.account_id = o.account_id AND k.day = p_day AND k.key_id = ANY (ARRAY(
             SELECT l.key_id FROM key_limits AS l
             WHERE l.account_id = o.account_id AND l.limit_id = coalesce(o.limit_id, o.key_id)
           ) || coalesce(o.limit_id, o.key_id))
         ), 0)::bigint)
  FROM unnest(p_operations) AS o WHERE o.daily_cap IS NOT NULL AND o.key_id IS NOT NULL
$$;
