-- Adds a gateway's counts, once for each batch id. Returns whether the batch was new. Items: account_id, key_id, day, requests,
-- cache_hits, failures. Locks rows in the order of their keys.
CREATE OR REPLACE FUNCTION record_usage(p_id uuid, p_items jsonb, p_now timestamptz DEFAULT clock_timestamp())
RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
BEGIN
  INSERT INTO usage_batches (id, received_at) VALUES (p_id, p_now) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO usage_days AS u (account_id, day, key_id, requests, cache_hits, failures)
  SELECT account_id, day, key_id, sum(requests), sum(cache_hits), sum(failures)
  FROM jsonb_to_recordset(p_items)
    AS (account_id uuid, key_id uuid, day date, requests bigint, cache_hits bigint, failures bigint)
  GROUP BY account_id, day, key_id ORDER BY account_id, day, key_id
  ON CONFLICT (account_id, day, key_id) DO UPDATE
  SET requests = u.requests + excluded.requests,
      cache_hits = u.cache_hits + excluded.cache_hits,
      failures = u.failures + excluded.failures;
  RETURN true;
END
$$;

-- Usage by day and key, oldest day first. A NULL key is work without a key.
CREATE OR REPLACE FUNCTION usage_between(p_account_id uuid, p_from date, p_to date)
RETURNS TABLE (
  day date, key_id uuid, requests bigint, cache_hits bigint, cold_deliveries integer, job_rows integer, search_pages integer,
  failures bigint, credits_charged integer
) LANGUAGE sql STABLE AS $$
  SELECT day, nullif(key_id, key_or_nil(NULL)), coalesce(u.requests, 0), coalesce(u.cache_hits, 0),
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

-- What the cap of a key leaves of the day that it shares with the other keys of its limit; NULL without a cap.
CREATE OR REPLACE FUNCTION cap_left(p_request items_request, p_now timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_request.key_id IS NOT NULL AND p_request.daily_cap IS NOT NULL THEN p_request.daily_cap - coalesce((
    -- A join planned on small tables would go on to read all keys of the day.
    SELECT sum(k.credits_used) FROM key_days AS k
    WHERE k.account_id = p_request.account_id AND k.day = day_of(p_now) AND k.key_id = ANY (ARRAY(
      SELECT l.key_id FROM key_limits AS l
      WHERE l.account_id = p_request.account_id AND l.limit_id = coalesce(p_request.limit_id, p_request.key_id)
    ) || coalesce(p_request.limit_id, p_request.key_id))
  ), 0) END
$$;

-- The person of a key of an account: the first person, whose id is that of the account, if it was created before there were others.
CREATE OR REPLACE FUNCTION person_of(p_account_id uuid, p_key_id uuid) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT person_id FROM key_owners WHERE key_id = p_key_id), p_account_id)
$$;

-- What the cap of a key's person leaves of the day to all their keys together; NULL without a cap.
CREATE OR REPLACE FUNCTION person_cap_left(p_request items_request, p_now timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT p.daily_credit_cap - coalesce((
    -- A function is no join, for the reason above: this reads the keys of the account that were used on the day.
    SELECT sum(k.credits_used) FROM key_days AS k
    WHERE k.account_id = p_request.account_id AND k.day = day_of(p_now)
      AND person_of(k.account_id, k.key_id) = p.person_id
  ), 0)
  FROM person_caps AS p
  WHERE p.account_id = p_request.account_id AND p.person_id = person_of(p_request.account_id, p_request.key_id)
    AND p_request.key_id IS NOT NULL
$$;

-- Whether the person of a key is not known yet in an account of which a person has a cap: it may be theirs.
CREATE OR REPLACE FUNCTION lacks_person(p_request items_request) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p_request.key_id IS NOT NULL
    AND EXISTS (SELECT FROM person_caps WHERE account_id = p_request.account_id AND daily_credit_cap IS NOT NULL)
    AND NOT EXISTS (SELECT FROM key_owners WHERE key_id = p_request.key_id)
$$;
