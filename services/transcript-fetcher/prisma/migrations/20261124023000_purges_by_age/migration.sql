-- concurrently
-- Each for the purge of its table, which otherwise reads all that is kept.
CREATE INDEX CONCURRENTLY IF NOT EXISTS turns_by_age ON turns (turn) WHERE NOT in_line;
CREATE INDEX CONCURRENTLY IF NOT EXISTS cold_counts_by_day ON cold_counts (day);
CREATE INDEX CONCURRENTLY IF NOT EXISTS proxy_spending_by_day ON proxy_spending (day);
