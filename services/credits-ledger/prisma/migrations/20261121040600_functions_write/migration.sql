-- From now on functions are the only writers of money. They run with the rights of the owner, also those of the release before.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'credits_ledger_app') THEN
    REVOKE INSERT, UPDATE ON accounts, entries, reservations, key_days, key_limits, entry_seals, sealing FROM credits_ledger_app;
  END IF;
END
$$;
