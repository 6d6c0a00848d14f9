-- concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS tasks_of_partition ON messaging.tasks (name, partition_key, due_at, id) WHERE state = 'ready' AND partition_key IS NOT NULL;
