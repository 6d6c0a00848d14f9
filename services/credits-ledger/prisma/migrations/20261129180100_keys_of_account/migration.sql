-- concurrently
-- For the filters by person and kind.
CREATE INDEX CONCURRENTLY IF NOT EXISTS key_owners_account_id_idx ON key_owners (account_id);
