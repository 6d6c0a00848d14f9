ALTER TABLE monitors ADD COLUMN person_id uuid;
