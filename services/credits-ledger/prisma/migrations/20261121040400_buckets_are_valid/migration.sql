-- Reads what is there beside those who write.
ALTER TABLE accounts VALIDATE CONSTRAINT accounts_buckets_check;
