-- A monitor pauses when its key is revoked at once.
ALTER TABLE monitors ADD COLUMN key_revoked boolean NOT NULL DEFAULT false, DROP CONSTRAINT monitors_emitted_pause_check,
  ADD CONSTRAINT monitors_emitted_pause_check
    CHECK (emitted_pause IN ('key_revoked', 'webhook_missing', 'feed_unavailable', 'insufficient_credits', 'tier_limit'));
