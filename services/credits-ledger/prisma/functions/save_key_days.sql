-- Adds entries to the days of their keys; a release gives its credits back to the day on which they were reserved. What is released
-- are reservations that hold what they give back.
CREATE OR REPLACE FUNCTION save_key_days(p_entries booked_entry[], p_released booked_reservation[], p_now timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO key_days AS k (
    account_id, day, key_id, credits_used, credits_charged, reserved, settled, job_rows, search_pages, released, lines
  )
  SELECT account_id, day_of(p_now), key_or_nobody(key_id),
         coalesce(sum(reserved_delta) FILTER (WHERE kind = 'reserve'), 0),
         coalesce(-sum(reserved_delta) FILTER (WHERE kind = 'settle'), 0),
         count(*) FILTER (WHERE kind = 'reserve'), coalesce(sum(cardinality(parts)) FILTER (WHERE kind = 'settle'), 0),
         coalesce(sum(cardinality(parts)) FILTER (WHERE kind = 'settle' AND job_id IS NOT NULL), 0),
         coalesce(sum(cardinality(parts)) FILTER (WHERE kind = 'settle' AND reason = 'search'), 0),
         count(*) FILTER (WHERE kind = 'release'), count(line)
  FROM unnest(p_entries) GROUP BY account_id, key_id
  ON CONFLICT (account_id, day, key_id) DO UPDATE
  SET credits_used = k.credits_used + excluded.credits_used,
      credits_charged = k.credits_charged + excluded.credits_charged,
      reserved = k.reserved + excluded.reserved,
      settled = k.settled + excluded.settled,
      job_rows = k.job_rows + excluded.job_rows,
      search_pages = k.search_pages + excluded.search_pages,
      released = k.released + excluded.released,
      lines = k.lines + excluded.lines;
  IF cardinality(p_released) > 0 THEN
    UPDATE key_days AS k SET credits_used = k.credits_used - r.credits
    FROM (
      SELECT account_id, day_of(created_at) AS day, key_or_nobody(key_id) AS key_id, sum(held_free + held_purchased) AS credits
      FROM unnest(p_released) GROUP BY 1, 2, 3
    ) AS r
    WHERE k.account_id = r.account_id AND k.day = r.day AND k.key_id = r.key_id;
  END IF;
END
$$;
