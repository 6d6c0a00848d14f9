-- Reads what is there beside those who write.
ALTER TABLE entries VALIDATE CONSTRAINT entries_buckets_check;
