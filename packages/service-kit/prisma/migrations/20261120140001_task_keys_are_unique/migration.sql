-- concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS tasks_one_open
  ON messaging.tasks (name, dedupe_key) WHERE state = 'ready' AND dedupe_key IS NOT NULL;
