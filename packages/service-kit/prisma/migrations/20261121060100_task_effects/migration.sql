-- The last attempt that began what others see: it counts, whatever became of its worker.
ALTER TABLE messaging.tasks ADD COLUMN effect_attempt integer;
