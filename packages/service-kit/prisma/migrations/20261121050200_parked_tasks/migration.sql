-- concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS tasks_parked ON messaging.tasks (name, partition_key, priority, wanted_at)
  WHERE state = 'ready' AND wanted_at IS NOT NULL;
