-- concurrently
-- Entries that were indexed by earlier rules are found without a look at all others.
CREATE INDEX CONCURRENTLY IF NOT EXISTS library_outdated ON library_entries (index_rules) WHERE words IS NOT NULL;
