-- What gateways count and what customers read. Charges never depend on anything in here.

-- Apart from key_days, so that counting requests never waits for money, nor money for it.
CREATE TABLE usage_days (
  account_id uuid NOT NULL,
  day date NOT NULL,
  key_id uuid NOT NULL,
  requests bigint NOT NULL DEFAULT 0 CHECK (requests >= 0),
  cache_hits bigint NOT NULL DEFAULT 0 CHECK (cache_hits >= 0),
  failures bigint NOT NULL DEFAULT 0 CHECK (failures >= 0),
  PRIMARY KEY (account_id, day, key_id)
) WITH (fillfactor = 70);

-- The sums that have been added already.
CREATE TABLE usage_batches (
  id uuid PRIMARY KEY,
  received_at timestamptz NOT NULL
);
CREATE INDEX usage_batches_received_at_idx ON usage_batches (received_at);

-- Where the latest reading of a ledger began: its pages are those of one moment, whatever is appended meanwhile.
CREATE TABLE ledger_readings (
  account_id uuid NOT NULL,
  -- The key that reads; the nil uuid for a session.
  reader_id uuid NOT NULL,
  as_of bigint NOT NULL,
  begun_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, reader_id)
) WITH (fillfactor = 70);

-- For the entries of one key, newest first.
CREATE INDEX entries_account_id_key_id_version_idx ON entries (account_id, key_id, version);

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'credits_ledger_app') THEN
    REVOKE DELETE, TRUNCATE ON usage_days, ledger_readings FROM credits_ledger_app;
    REVOKE UPDATE, TRUNCATE ON usage_batches FROM credits_ledger_app;
  END IF;
END
$$;

-- Adds what a gateway has counted, once per id, whoever repeats it and when. Answers whether it was news. Items:
-- account_id, key_id, day, requests, cache_hits, failures. Rows are locked in the order of their keys.
CREATE FUNCTION record_usage(p_id uuid, p_items jsonb, p_now timestamptz DEFAULT clock_timestamp())
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

-- Usage by day and key, oldest day first. A null key is work that no key asked for.
CREATE FUNCTION usage_between(p_account_id uuid, p_from date, p_to date)
RETURNS TABLE (
  day date, key_id uuid, requests bigint, cache_hits bigint, cold_deliveries integer, failures bigint,
  credits_charged integer
) LANGUAGE sql STABLE AS $$
  SELECT day, nullif(key_id, key_or_nobody(NULL)), coalesce(u.requests, 0), coalesce(u.cache_hits, 0),
         coalesce(k.settled, 0), coalesce(u.failures, 0), coalesce(k.credits_charged, 0)
  FROM (
    SELECT * FROM key_days AS d WHERE d.account_id = p_account_id AND d.day BETWEEN p_from AND p_to
  ) AS k
  FULL JOIN (
    SELECT * FROM usage_days AS d WHERE d.account_id = p_account_id AND d.day BETWEEN p_from AND p_to
  ) AS u USING (day, key_id)
  ORDER BY day, key_id
$$;

-- The entries of one key up to a version, without counting them: the days know how many there are, and only those that
-- came later are subtracted.
CREATE FUNCTION entries_of_key(p_account_id uuid, p_key_id uuid, p_as_of bigint)
RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce((
    SELECT sum(reserved::bigint + settled + released) FROM key_days
    WHERE account_id = p_account_id AND key_id = p_key_id
  ), 0) - (
    SELECT count(*) FROM entries WHERE account_id = p_account_id AND key_id = p_key_id AND version > p_as_of
  )
$$;
