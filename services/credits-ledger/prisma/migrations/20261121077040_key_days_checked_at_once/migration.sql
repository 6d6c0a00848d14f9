-- As with entries.
ALTER TABLE key_days
  DROP CONSTRAINT key_days_credits_used_check, DROP CONSTRAINT key_days_credits_charged_check,
  DROP CONSTRAINT key_days_reserved_check, DROP CONSTRAINT key_days_settled_check, DROP CONSTRAINT key_days_released_check,
  ADD CONSTRAINT key_days_counts_check
    CHECK (least(credits_used, credits_charged, reserved, settled, released) >= 0) NOT VALID;
