-- Claims see to it that one task of a partition runs at a time: none is parked until it gets a permit.
UPDATE messaging.tasks SET due_at = wanted_at, wanted_at = NULL, in_line = false WHERE state = 'ready' AND wanted_at IS NOT NULL;
