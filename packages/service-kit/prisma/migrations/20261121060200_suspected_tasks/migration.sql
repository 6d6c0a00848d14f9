-- concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS tasks_lost ON messaging.tasks (greatest(due_at, lease_until))
  WHERE state = 'ready' AND lost_leases > 0;
