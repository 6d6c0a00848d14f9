-- Inserts an entry and returns the account after it, for the caller to save.
CREATE OR REPLACE FUNCTION append_entry(
  p_account accounts, p_kind text, p_ref text, p_free integer, p_purchased integer, p_reserved integer,
  p_reason text, p_key_id uuid, p_request_id text, p_now timestamptz, p_subject jsonb DEFAULT NULL,
  p_items smallint[] DEFAULT NULL, p_job_id uuid DEFAULT NULL
) RETURNS accounts LANGUAGE plpgsql AS $$
DECLARE
  v_is_line boolean := p_free + p_purchased + p_reserved <> 0;
BEGIN
  p_account.free := p_account.free + p_free;
  p_account.purchased := p_account.purchased + p_purchased;
  p_account.reserved := p_account.reserved + p_reserved;
  p_account.version := p_account.version + 1;
  p_account.lines := p_account.lines + v_is_line::integer;
  INSERT INTO entries (
    account_id, version, kind, ref, free_delta, purchased_delta, reserved_delta, free_after, purchased_after, reserved_after,
    reason, key_id, request_id, created_at, subject, line, items, job_id, period
  ) VALUES (
    p_account.account_id, p_account.version, p_kind, p_ref, p_free, p_purchased, p_reserved,
    p_account.free, p_account.purchased, p_account.reserved, p_reason, p_key_id, p_request_id, p_now,
    p_subject, CASE WHEN v_is_line THEN p_account.lines END, p_items, p_job_id, p_account.period
  );
  RETURN p_account;
END
$$;

-- Inserts an entry about items of a reservation, and counts it on the day of its key. A release also returns its credits to the day of
-- the reservation.
CREATE OR REPLACE FUNCTION book_items(
  p_account accounts, p_of reservations, p_kind text, p_free integer, p_purchased integer, p_reserved integer, p_items smallint[],
  p_request_id text, p_now timestamptz
) RETURNS accounts LANGUAGE plpgsql AS $$
DECLARE
  v_charged integer := CASE p_kind WHEN 'settle' THEN -p_reserved WHEN 'charge' THEN -(p_free + p_purchased) ELSE 0 END;
  v_settled integer := CASE WHEN p_kind IN ('settle', 'charge') THEN cardinality(p_items) ELSE 0 END;
BEGIN
  INSERT INTO key_days AS k (
    account_id, day, key_id, credits_used, credits_charged, reserved, settled, job_rows, search_pages, released, lines
  ) VALUES (
    p_account.account_id, day_of(p_now), key_or_nil(p_of.key_id),
    CASE p_kind WHEN 'reserve' THEN p_reserved WHEN 'charge' THEN v_charged ELSE 0 END, v_charged, (p_kind = 'reserve')::integer,
    v_settled, CASE WHEN p_of.job_id IS NOT NULL THEN v_settled ELSE 0 END,
    CASE WHEN p_of.reason = 'search' THEN v_settled ELSE 0 END, (p_kind = 'release')::integer,
    (p_free + p_purchased + p_reserved <> 0)::integer
  )
  ON CONFLICT (account_id, day, key_id) DO UPDATE
  SET credits_used = k.credits_used + excluded.credits_used, credits_charged = k.credits_charged + excluded.credits_charged,
      reserved = k.reserved + excluded.reserved, settled = k.settled + excluded.settled, job_rows = k.job_rows + excluded.job_rows,
      search_pages = k.search_pages + excluded.search_pages, released = k.released + excluded.released, lines = k.lines + excluded.lines;
  IF p_kind = 'release' THEN
    UPDATE key_days SET credits_used = credits_used + p_reserved
    WHERE account_id = p_account.account_id AND day = day_of(p_of.created_at) AND key_id = key_or_nil(p_of.key_id);
  END IF;
  RETURN append_entry(
    p_account, p_kind, p_of.ref, p_free, p_purchased, p_reserved, CASE p_kind WHEN 'refund' THEN p_kind ELSE p_of.reason END,
    p_of.key_id, coalesce(p_of.request_id, p_request_id), p_now, CASE WHEN p_kind <> 'reserve' THEN p_of.subject END, p_items, p_of.job_id
  );
END
$$;

-- The sealed bytes of an entry: JSON with times in microseconds, independent of the session's settings. STABLE like its parts; as
-- IMMUTABLE it would be called for each entry instead of inlined.
CREATE OR REPLACE FUNCTION canonical_entry(e entries) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT convert_to(jsonb_build_array(
    e.account_id, e.version, e.kind, e.ref, e.free_delta, e.purchased_delta, e.reserved_delta, e.free_after,
    e.purchased_after, e.reserved_after, e.reason, e.key_id, e.request_id,
    (extract(epoch FROM e.created_at) * 1000000)::bigint, e.subject, e.items, e.job_id
  )::text, 'UTF8')
$$;

-- A page of an account's lines, optionally of some keys or one job, newest first up to line `as_of` (NULL is the newest). Each row has `as_of`,
-- the number of lines on all pages, the seal of line `as_of`, and a line; a page without lines is one row without a line. Reads only
-- the months of the page.
CREATE OR REPLACE FUNCTION lines_page(
  p_account_id uuid, p_key_ids uuid[], p_job_id uuid, p_limit integer, p_offset bigint, p_as_of bigint
) RETURNS TABLE (
  as_of bigint, total bigint, seal text, line bigint, version bigint, kind text, ref text, free_delta integer,
  purchased_delta integer, reserved_delta integer, free_after integer, purchased_after integer, reserved_after integer,
  reason text, key_id uuid, request_id text, created_at timestamptz, subject jsonb, items smallint[],
  job_id uuid
) LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_lines bigint[];
  v_newest bigint;
  v_oldest bigint;
  v_month date;
  v_page record;
  v_last record;
BEGIN
  SELECT least(p_as_of, a.lines), CASE WHEN a.period = '-infinity' THEN 'infinity' ELSE a.period END INTO as_of, v_month
  FROM accounts AS a WHERE a.account_id = p_account_id;
  as_of := coalesce(as_of, 0);
  total := as_of;
  v_newest := as_of - p_offset;
  v_oldest := v_newest - p_limit + 1;
  IF p_job_id IS NOT NULL THEN
    v_lines := lines_of_job(p_account_id, p_key_ids, p_job_id, as_of, v_month);
    total := cardinality(v_lines);
    v_lines := v_lines[p_offset + 1 : p_offset + p_limit];
  ELSIF p_key_ids IS NOT NULL THEN
    v_lines := lines_of_keys(p_account_id, p_key_ids, p_limit, p_offset, as_of, v_month);
  END IF;
  IF v_lines IS NOT NULL THEN
    v_newest := v_lines[1];
    v_oldest := v_lines[cardinality(v_lines)];
  END IF;
  v_page := months_of_lines(p_account_id, v_oldest, v_newest, v_month);
  v_last := months_of_lines(p_account_id, as_of, as_of, v_month);
  IF p_key_ids IS NOT NULL AND p_job_id IS NULL THEN
    total := count_lines(p_account_id, p_key_ids, as_of, v_last.first);
  END IF;
  seal := (
    SELECT encode(s.hash, 'hex') FROM entry_seals AS s
    WHERE s.account_id = p_account_id AND s.period BETWEEN v_last.first AND v_last.last AND s.version = (
      SELECT e.version FROM entries AS e
      WHERE e.account_id = p_account_id AND e.line = as_of AND e.period BETWEEN v_last.first AND v_last.last
    )
  );
  RETURN QUERY
    SELECT lines_page.as_of, lines_page.total, lines_page.seal, e.line, e.version, e.kind, e.ref, e.free_delta,
           e.purchased_delta, e.reserved_delta, e.free_after, e.purchased_after, e.reserved_after, e.reason, e.key_id,
           e.request_id, e.created_at, e.subject, e.items, e.job_id
    FROM entries AS e
    WHERE e.account_id = p_account_id AND e.line BETWEEN v_oldest AND v_newest AND e.period BETWEEN v_page.first AND v_page.last
      AND (v_lines IS NULL OR e.line = ANY (v_lines))
    ORDER BY e.line DESC;
  IF NOT FOUND THEN
    RETURN NEXT;
  END IF;
END
$$;

-- The lines of a job up to line p_as_of, newest first: they are few.
CREATE OR REPLACE FUNCTION lines_of_job(p_account_id uuid, p_key_ids uuid[], p_job_id uuid, p_as_of bigint, p_month date)
RETURNS bigint[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN ARRAY(
    SELECT e.line FROM entries AS e
    WHERE e.account_id = p_account_id AND e.job_id = p_job_id AND (p_key_ids IS NULL OR e.key_id = ANY (p_key_ids))
      AND e.line <= p_as_of AND e.period <= p_month
    ORDER BY e.line DESC
  );
END
$$;

-- A page of the lines of keys up to line p_as_of, newest first. The index has the lines' numbers, in the order of each key.
CREATE OR REPLACE FUNCTION lines_of_keys(
  p_account_id uuid, p_key_ids uuid[], p_limit integer, p_offset bigint, p_as_of bigint, p_month date
) RETURNS bigint[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN ARRAY(
    SELECT of_key.line FROM unnest(p_key_ids) AS k (id) CROSS JOIN LATERAL (
      SELECT e.line FROM entries AS e
      WHERE e.account_id = p_account_id AND e.key_id = k.id AND e.line <= p_as_of AND e.period <= p_month
      ORDER BY e.line DESC LIMIT p_limit + p_offset
    ) AS of_key ORDER BY of_key.line DESC LIMIT p_limit OFFSET p_offset
  );
END
$$;

-- How many lines of keys there are up to line p_as_of, which lies in month p_first or later.
CREATE OR REPLACE FUNCTION count_lines(p_account_id uuid, p_key_ids uuid[], p_as_of bigint, p_first date)
RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT coalesce(sum(k.lines), 0) FROM key_days AS k WHERE k.account_id = p_account_id AND k.key_id = ANY (p_key_ids)
  ) - (
    SELECT count(*) FROM entries AS e
    WHERE e.account_id = p_account_id AND e.key_id = ANY (p_key_ids) AND e.line > p_as_of AND e.period >= p_first
  );
END
$$;

-- The months in which these lines lie: a line lies in the last month that began before it, or in the next one, because an account may begin
-- a month shortly before that is saved.
CREATE OR REPLACE FUNCTION months_of_lines(
  p_account_id uuid, p_oldest bigint, p_newest bigint, p_month date, OUT first date, OUT last date
) LANGUAGE plpgsql STABLE AS $$
BEGIN
  SELECT coalesce(max(m.period) FILTER (WHERE m.lines_before < p_oldest), '-infinity'),
         coalesce(min(m.period) FILTER (WHERE m.lines_before >= p_newest), p_month)
  INTO first, last
  FROM account_months AS m WHERE m.account_id = p_account_id;
END
$$;

-- For triggers: rejects changes to append-only rows.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ledger entries are never changed: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;
