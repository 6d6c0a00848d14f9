-- Reads what is there beside those who write.
ALTER TABLE key_days VALIDATE CONSTRAINT key_days_counts_check;
