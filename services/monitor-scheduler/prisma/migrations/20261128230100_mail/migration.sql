ALTER TABLE monitors ADD COLUMN mail text NOT NULL DEFAULT 'none';
