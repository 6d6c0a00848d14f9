-- The outcome, unless somebody else kept the account locked: then nothing was done.
CREATE OR REPLACE FUNCTION busy_or(p_outcome text, p_account accounts) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_account.account_id IS NULL THEN 'busy' ELSE p_outcome END
$$;
