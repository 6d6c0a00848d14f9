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

-- The credits that capped keys, and the keys that share their limit, have used on a day; in one row.
CREATE OR REPLACE FUNCTION used_on(p_day date, p_operations ledger_operation[])
RETURNS TABLE (keys text[], used bigint[]) LANGUAGE sql STABLE AS $$
  -- A join planned on small tables would go on to read all keys of the day.
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

-- Adds entries to the days of their keys. A release gives its credits back to the day of their reservation. `p_released` are reservations
-- that hold exactly what they give back.
CREATE OR REPLACE FUNCTION save_key_days(p_entries booked_entry[], p_released booked_reservation[], p_now timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO key_days AS k (
    account_id, day, key_id, credits_used, credits_charged, reserved, settled, job_rows, search_pages, released, lines
  )
  SELECT account_id, day_of(p_now), key_or_nil(key_id),
         coalesce(sum(reserved_delta) FILTER (WHERE kind = 'reserve'), 0),
         coalesce(-sum(reserved_delta) FILTER (WHERE kind = 'settle'), 0),
         count(*) FILTER (WHERE kind = 'reserve'), coalesce(sum(cardinality(parts)) FILTER (WHERE kind = 'settle'), 0),
         coalesce(sum(cardinality(parts)) FILTER (WHERE kind = 'settle' AND job_id IS NOT NULL), 0),
         coalesce(sum(cardinality(parts)) FILTER (WHERE kind = 'settle' AND reason = 'search'), 0),
         count(*) FILTER (WHERE kind = 'release'), count(line)
  FROM unnest(p_entries) GROUP BY account_id, key_id
  ON CONFLICT (account_id, day, key_id) DO UPDATE
  SET credits_used = k.credits_used + excluded.credits_used,
      credits_charged = k.credits_charged + excluded.credits_charged,
      reserved = k.reserved + excluded.reserved,
      settled = k.settled + excluded.settled,
      job_rows = k.job_rows + excluded.job_rows,
      search_pages = k.search_pages + excluded.search_pages,
      released = k.released + excluded.released,
      lines = k.lines + excluded.lines;
  IF cardinality(p_released) > 0 THEN
    UPDATE key_days AS k SET credits_used = k.credits_used - r.credits
    FROM (
      SELECT account_id, day_of(created_at) AS day, key_or_nil(key_id) AS key_id, sum(held_free + held_purchased) AS credits
      FROM unnest(p_released) GROUP BY 1, 2, 3
    ) AS r
    WHERE k.account_id = r.account_id AND k.day = r.day AND k.key_id = r.key_id;
  END IF;
END
$$;

-- Saves which keys of the given accounts share the limit of another key.
CREATE OR REPLACE FUNCTION save_limits(p_operations ledger_operation[], p_account_ids uuid[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO key_limits (account_id, limit_id, key_id)
  SELECT DISTINCT o.account_id, o.limit_id, o.key_id FROM unnest(p_operations) AS o
  WHERE o.limit_id IS NOT NULL AND o.kind = 'reserve' AND o.account_id = ANY (p_account_ids)
  ON CONFLICT DO NOTHING
$$;
