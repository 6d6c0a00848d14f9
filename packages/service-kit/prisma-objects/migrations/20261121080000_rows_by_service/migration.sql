-- Whoever is no owner sees and changes only the rows that a policy names: those of the service's own keys.
ALTER TABLE objects ENABLE ROW LEVEL SECURITY;
ALTER TABLE object_chunks ENABLE ROW LEVEL SECURITY;
