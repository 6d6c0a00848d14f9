-- New words go into the index at once: a list of them that waits would be read by the searches of all accounts.
ALTER INDEX library_words SET (fastupdate = off);
ALTER TABLE library_entries ADD COLUMN index_tries smallint NOT NULL DEFAULT 0;
