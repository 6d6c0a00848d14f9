-- concurrently
-- For the purge of old lines, and of those the ones that a read still refers to.
CREATE INDEX CONCURRENTLY IF NOT EXISTS lines_by_age ON lines (created_at) WHERE NOT in_line;
CREATE INDEX CONCURRENTLY IF NOT EXISTS operations_of_queue ON operations (line_id) WHERE lane = 0 AND line_id IS NOT NULL;
