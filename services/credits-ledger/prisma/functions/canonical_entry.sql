-- What is sealed of an entry: the same bytes for the same entry, whatever the settings of the session, and wherever it is kept.
-- JSON with times as microseconds. Stable, as its parts are: claiming more would have it called for each entry instead of
-- written into the statement.
CREATE OR REPLACE FUNCTION canonical_entry(e entries) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT convert_to(jsonb_build_array(
    e.account_id, e.version, e.kind, e.ref, e.free_delta, e.purchased_delta, e.reserved_delta, e.free_after,
    e.purchased_after, e.reserved_after, e.reason, e.key_id, e.request_id,
    (extract(epoch FROM e.created_at) * 1000000)::bigint, e.subject, e.parts, e.job_id
  )::text, 'UTF8')
$$;
