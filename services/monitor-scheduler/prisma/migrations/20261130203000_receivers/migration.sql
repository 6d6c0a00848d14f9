ALTER TABLE monitors ADD COLUMN receivers uuid[] NOT NULL DEFAULT '{}';
