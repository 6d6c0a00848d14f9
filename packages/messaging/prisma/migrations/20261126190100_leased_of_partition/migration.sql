-- concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS tasks_leased_of_partition ON messaging.tasks (name, partition_key)
  WHERE state = 'ready' AND partition_key IS NOT NULL AND lease_until IS NOT NULL;
