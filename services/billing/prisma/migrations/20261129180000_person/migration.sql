ALTER TABLE purchases ADD COLUMN person_id uuid;
