-- Names an account's key: a key's use is counted for each account.
CREATE OR REPLACE FUNCTION key_of_account(p_account_id uuid, p_key_id uuid) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT p_account_id::text || p_key_id::text
$$;
