-- concurrently
-- The accounts that wait, and the newest row of each that is free.
CREATE INDEX CONCURRENTLY IF NOT EXISTS unindexed_of_account ON unindexed_transcripts (account_id, greatest(due_at, lease_until));
