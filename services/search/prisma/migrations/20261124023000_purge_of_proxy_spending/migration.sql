-- concurrently
-- For the purge, which otherwise reads all that is kept.
CREATE INDEX CONCURRENTLY IF NOT EXISTS proxy_spending_by_day ON proxy_spending (day);
