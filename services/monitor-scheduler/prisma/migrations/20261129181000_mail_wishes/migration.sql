ALTER TABLE monitors ADD COLUMN mail_only_matches boolean NOT NULL DEFAULT false;
