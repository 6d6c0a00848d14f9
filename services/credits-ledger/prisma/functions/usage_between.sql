-- Usage by day and key, oldest day first. A null key is work that no key asked for.
CREATE OR REPLACE FUNCTION usage_between(p_account_id uuid, p_from date, p_to date)
RETURNS TABLE (
  day date, key_id uuid, requests bigint, cache_hits bigint, cold_deliveries integer, job_rows integer, search_pages integer,
  failures bigint, credits_charged integer
) LANGUAGE sql STABLE AS $$
  SELECT day, nullif(key_id, key_or_nobody(NULL)), coalesce(u.requests, 0), coalesce(u.cache_hits, 0),
         coalesce(k.settled - k.search_pages, 0), coalesce(k.job_rows, 0), coalesce(k.search_pages, 0),
         coalesce(u.failures, 0), coalesce(k.credits_charged, 0)
  FROM (
    SELECT * FROM key_days AS d WHERE d.account_id = p_account_id AND d.day BETWEEN p_from AND p_to
  ) AS k
  FULL JOIN (
    SELECT * FROM usage_days AS d WHERE d.account_id = p_account_id AND d.day BETWEEN p_from AND p_to
  ) AS u USING (day, key_id)
  ORDER BY day, key_id
$$;
