-- concurrently
-- What of a receiver waits or has failed is found without the rest of its account.
CREATE INDEX CONCURRENTLY IF NOT EXISTS deliveries_by_receiver ON deliveries (receiver_id, created_at, id) WHERE receiver_id IS NOT NULL;
