-- Counts up to p_wanted cold fetches of a day in every scope, given as [{name, most}], as many as all scopes have room for. Returns the
-- number, and the first scope with less room. Locks scopes in the order of the list: own ones before shared ones.
CREATE OR REPLACE FUNCTION count_cold(
  p_scopes jsonb, p_day date, p_wanted integer, OUT counted integer, OUT full_scope text
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
DECLARE
  v_names text[] := ARRAY(SELECT scope ->> 'name' FROM jsonb_array_elements(p_scopes) AS given (scope));
BEGIN
  counted := p_wanted;
  IF p_wanted = 0 THEN RETURN; END IF;
  INSERT INTO cold_counts (scope, day, count)
  SELECT scope ->> 'name', p_day, 0 FROM jsonb_array_elements(p_scopes) WITH ORDINALITY AS given (scope, n) ORDER BY n
  ON CONFLICT DO NOTHING;
  SELECT least(p_wanted, min(room)), (array_agg(name ORDER BY room, n))[1] INTO counted, full_scope
  FROM (
    SELECT given.scope ->> 'name' AS name, greatest(0, (given.scope ->> 'most')::integer - c.count) AS room, n
    FROM jsonb_array_elements(p_scopes) WITH ORDINALITY AS given (scope, n)
    JOIN cold_counts AS c ON c.scope = given.scope ->> 'name'
    WHERE c.scope = ANY (v_names) AND c.day = p_day ORDER BY n FOR UPDATE OF c) AS locked;
  IF counted = p_wanted THEN full_scope := NULL; END IF;
  UPDATE cold_counts SET count = count + counted WHERE counted > 0 AND day = p_day AND scope = ANY (v_names);
END
$$;

-- Takes cold fetches that did not begin out of the counts.
CREATE OR REPLACE FUNCTION uncount_cold(p_scopes text[], p_day date, p_count integer) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
DECLARE
  v_scope text;
BEGIN
  -- One by one, in the order of counting.
  FOREACH v_scope IN ARRAY p_scopes LOOP
    UPDATE cold_counts SET count = greatest(0, count - p_count) WHERE scope = v_scope AND day = p_day;
  END LOOP;
END
$$;
