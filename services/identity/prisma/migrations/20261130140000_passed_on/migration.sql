ALTER TABLE people ADD COLUMN passed_to uuid;
