-- Which release has given it up: a later one tries once more. Each connection says which one it is (`RELEASE`).
ALTER TABLE messaging.dead_letters ADD COLUMN release text DEFAULT nullif(current_setting('tds.release', true), '');
