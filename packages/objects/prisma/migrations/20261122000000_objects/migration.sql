-- Bound: in all, one for each file that a row of a service names.
-- Kept: deleted by the service that names it.
CREATE TABLE objects (
  key          text COLLATE "C" PRIMARY KEY,
  bytes        bigint      NOT NULL,
  sha256       text        NOT NULL,
  content_type text,
  created_at   timestamptz NOT NULL DEFAULT now()
);

-- Bound: in all, one for each megabyte of a file.
-- Kept: deleted with the file.
CREATE TABLE object_chunks (
  key  text COLLATE "C" NOT NULL REFERENCES objects ON DELETE CASCADE,
  seq  integer NOT NULL,
  data bytea   NOT NULL,
  PRIMARY KEY (key, seq)
);

-- What is stored is compressed already where that pays: do not try again.
ALTER TABLE object_chunks ALTER COLUMN data SET STORAGE EXTERNAL;

-- A role that is not the owner sees and changes only the rows that a policy names: those of the service's own keys.
ALTER TABLE objects ENABLE ROW LEVEL SECURITY;
ALTER TABLE object_chunks ENABLE ROW LEVEL SECURITY;
