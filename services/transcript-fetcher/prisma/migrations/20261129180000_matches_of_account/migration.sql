-- concurrently
-- The newest matches of an account are read without those of each of its monitors.
CREATE INDEX CONCURRENTLY IF NOT EXISTS word_matches_of_account ON word_matches (account_id, found_at DESC, id);
