ALTER TABLE jobs ADD COLUMN daily_mail boolean NOT NULL DEFAULT false;
