-- concurrently
-- A B-tree: the summaries of a BRIN index never narrow again, so a purge of an aged inbox would read it whole.
CREATE INDEX CONCURRENTLY IF NOT EXISTS inbox_by_age ON messaging.inbox (processed_at);
