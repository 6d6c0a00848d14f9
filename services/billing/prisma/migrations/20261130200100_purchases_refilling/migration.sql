-- concurrently
-- Contract: unused since 1.0; no process of it writes the new column. An account has one refill under way.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS purchases_refilling ON purchases (account_id) WHERE payment_method_id IS NOT NULL AND state = 'processing';
