-- concurrently
-- For the purge of unpaid purchases and the backlog of grants, which otherwise read all that was paid.
CREATE INDEX CONCURRENTLY IF NOT EXISTS purchases_expired ON purchases (changed_at) WHERE state = 'expired';
CREATE INDEX CONCURRENTLY IF NOT EXISTS purchases_ungranted ON purchases (changed_at) WHERE paid_at IS NOT NULL AND granted_at IS NULL;
