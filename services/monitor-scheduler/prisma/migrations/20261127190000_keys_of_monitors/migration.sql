-- A monitor pauses when its key is revoked at once.
ALTER TABLE monitors ADD COLUMN key_revoked boolean NOT NULL DEFAULT false;

-- Contract: unused since 1.0, whose processes write what both lists have.
ALTER TABLE monitors DROP CONSTRAINT monitors_emitted_pause_check;
-- Contract: kept since 1.0.
ALTER TABLE monitors ADD CONSTRAINT monitors_emitted_pause_check
  CHECK (emitted_pause IN ('key_revoked', 'webhook_missing', 'feed_unavailable', 'insufficient_credits', 'tier_limit')) NOT VALID;
ALTER TABLE monitors VALIDATE CONSTRAINT monitors_emitted_pause_check;
