ALTER TABLE jobs ADD COLUMN receivers uuid[] NOT NULL DEFAULT '{}';
