-- concurrently
-- Old fetches are forgotten in batches, oldest first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS fetches_by_age ON fetches (created_at);
