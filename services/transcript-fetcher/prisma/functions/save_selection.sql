-- Remembers what a requested language leads to. The selection is JSON with the names of the columns.
CREATE OR REPLACE FUNCTION save_selection(p_selection jsonb) RETURNS void LANGUAGE sql AS $$
  SELECT save_selections(jsonb_build_array(p_selection))
$$;
