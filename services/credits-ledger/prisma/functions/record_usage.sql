-- Adds what a gateway has counted, once per id, whoever repeats it and when. Answers whether it was news. Items:
-- account_id, key_id, day, requests, cache_hits, failures. Rows are locked in the order of their keys.
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
