-- Over entries in the order of their versions: the seal of the last one.
CREATE OR REPLACE AGGREGATE seal_of (bytea) (SFUNC = next_seal, STYPE = bytea, INITCOND = '');
