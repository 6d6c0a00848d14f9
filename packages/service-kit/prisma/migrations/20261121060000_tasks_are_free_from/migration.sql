-- concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS tasks_free_from
  ON messaging.tasks (name, priority, greatest(due_at, lease_until)) WHERE state = 'ready';
DROP INDEX CONCURRENTLY IF EXISTS messaging.tasks_claimable;
