-- concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS outbox_published_late ON messaging.outbox (published_at, id)
  WHERE published_at - created_at > interval '30 seconds';
