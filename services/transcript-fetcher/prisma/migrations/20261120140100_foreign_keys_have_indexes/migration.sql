-- concurrently
-- Deleting a transcript or a fetch looks for what still points to it, row by row of the deletion.
CREATE INDEX CONCURRENTLY IF NOT EXISTS operations_by_any_fetch ON operations (fetch_id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS operations_by_transcript ON operations (transcript_id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS selections_by_transcript ON selections (transcript_id);
DROP INDEX CONCURRENTLY IF EXISTS operations_by_fetch;
