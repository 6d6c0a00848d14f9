-- concurrently
-- For repeats of a refresh.
CREATE INDEX CONCURRENTLY IF NOT EXISTS operations_of_refresh ON operations (refresh) WHERE refresh IS NOT NULL;
