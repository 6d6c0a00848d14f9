-- Gives a line the next version, and keeps others from giving it another until the commit: so whoever has read up to one has missed
-- none. It is the time of the database or one more, so it goes on above all that was told before a restore.
CREATE OR REPLACE FUNCTION next_version(p_line_id uuid) RETURNS bigint LANGUAGE sql AS $$
  INSERT INTO line_versions AS l (line_id, version) VALUES (p_line_id, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
  ON CONFLICT (line_id) DO UPDATE SET version = greatest(l.version + 1, excluded.version)
  RETURNING version
$$;
