-- concurrently
-- What a search has to ask for first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS library_unsearchable ON library_entries (account_id) WHERE words IS NULL;
