-- Whose a key is, by the word of identity, so that no account can reserve in the name of another's key. Before identity told, a key
-- is the account's that alone has used it.
CREATE TABLE key_owners (
  key_id uuid PRIMARY KEY,
  account_id uuid NOT NULL
);
INSERT INTO key_owners
SELECT key_id, (array_agg(account_id))[1] FROM key_days
WHERE key_id <> '00000000-0000-0000-0000-000000000000'
GROUP BY key_id HAVING count(DISTINCT account_id) = 1;

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'credits_ledger_app') THEN
    REVOKE UPDATE, DELETE, TRUNCATE ON key_owners FROM credits_ledger_app;
  END IF;
END
$$;
