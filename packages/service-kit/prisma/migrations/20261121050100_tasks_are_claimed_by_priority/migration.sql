-- concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS tasks_claimable ON messaging.tasks (name, priority, due_at) WHERE state = 'ready';
DROP INDEX CONCURRENTLY IF EXISTS messaging.tasks_ready;
