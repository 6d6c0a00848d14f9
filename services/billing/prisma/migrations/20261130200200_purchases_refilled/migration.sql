-- concurrently
-- What the refills of a month have cost.
CREATE INDEX CONCURRENTLY IF NOT EXISTS purchases_refilled ON purchases (account_id, created_at) WHERE payment_method_id IS NOT NULL;
