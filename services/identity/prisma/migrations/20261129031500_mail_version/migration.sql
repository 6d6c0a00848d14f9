ALTER TABLE accounts ADD COLUMN mail_version bigint NOT NULL DEFAULT 0;
