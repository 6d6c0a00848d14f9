-- Answers whether this was news: an older version changes nothing.
CREATE OR REPLACE FUNCTION set_account_status(
  p_account_id uuid, p_status text, p_version bigint, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS boolean LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms' AS $$
  WITH changed AS (
    INSERT INTO accounts AS a (account_id, status, status_version, created_at)
    VALUES (p_account_id, p_status, p_version, p_now)
    ON CONFLICT (account_id) DO UPDATE SET status = excluded.status, status_version = excluded.status_version
    WHERE a.status_version < excluded.status_version
    RETURNING 1
  )
  SELECT EXISTS (SELECT FROM changed)
$$;
