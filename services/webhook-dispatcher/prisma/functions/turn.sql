-- One turn of a sender: saves the outcomes of attempts whose claims still hold, ignores the others, and claims up to p_most due deliveries
-- for one attempt each. The commit counts the attempts before they are sent, so a death of the process cannot cause a sixth.
-- An outcome is {id, accountId, wasSent, attempt, retryMs}, and {restMs} if the endpoint asks for a pause, {isGone} if it has ended for good.
-- An endpoint runs 16 attempts at once, one if it is a chat or its last attempt failed; an account 64.
-- Claims go round robin: the first delivery of each account before the second of any, and within an account the first of each endpoint
-- before the second of any. Of one job the oldest open event goes first.
-- The row of a queue is the lock for everything of its account; several are locked in order, and queues that others lock are left to them.
CREATE OR REPLACE FUNCTION take_turn(p_outcomes jsonb, p_most integer)
RETURNS TABLE (id uuid, "accountId" uuid, url text, kind text, body text, "sealedSecret" text, attempt integer, "lagSeconds" float8,
  "mayEmit" boolean, "keyId" uuid, "receiverId" uuid, "secretId" uuid, form text)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  v_accounts uuid[];
  v_endpoints uuid[];
  v_due_accounts uuid[];
  v_due_at timestamptz[];
  v_chosen uuid[];
BEGIN
  IF p_outcomes <> '[]' THEN
    PERFORM FROM queues WHERE account_id = ANY (
      ARRAY (SELECT o."accountId" FROM jsonb_to_recordset(p_outcomes) AS o ("accountId" uuid))) ORDER BY account_id FOR UPDATE;
    SELECT s.accounts, s.endpoints INTO v_accounts, v_endpoints FROM save_outcomes(p_outcomes) AS s;
  END IF;

  -- The queues that have waited longest. The next statement sees what others claimed before these locks; one that locked them itself would not.
  SELECT array_agg(account_id), array_agg(due_at) INTO v_due_accounts, v_due_at FROM (
    SELECT account_id, due_at FROM queues WHERE due_at <= now() AND p_most > 0 ORDER BY due_at LIMIT 128 FOR UPDATE SKIP LOCKED) AS due;
  SELECT c.accounts, c.endpoints, c.chosen INTO v_accounts, v_endpoints, v_chosen
  FROM choose_deliveries(v_due_accounts, v_due_at, v_accounts, v_endpoints, p_most) AS c;

  RETURN QUERY
  WITH claimed AS (
    UPDATE deliveries SET state = 'sending', attempts = attempts + 1, due_at = now() + interval '30 seconds'
    WHERE id = ANY (v_chosen)
    RETURNING id, account_id, endpoint_id, kind, body, secret_id, attempts::int, job_id, key_id, receiver_id
  )
  SELECT c.id, c.account_id, e.url, c.kind, c.body, s.sealed, c.attempts, coalesce(extract(epoch FROM now() - q.due_at), 0)::float8,
    -- An hour is longer than an attempt takes.
    (c.job_id IS NOT NULL AND c.receiver_id IS NULL)
      OR coalesce(least(w.failing_since, r.failing_since) < now() - interval '4 days 23 hours', false),
    c.key_id, c.receiver_id, c.secret_id, coalesce(r.form, 'signed')
  FROM claimed AS c JOIN endpoints AS e ON e.id = c.endpoint_id JOIN secrets AS s ON s.id = c.secret_id
  JOIN queues AS q ON q.account_id = c.account_id LEFT JOIN webhooks AS w ON w.account_id = c.account_id
  LEFT JOIN receivers AS r ON r.id = c.receiver_id;

  PERFORM make_due(v_accounts, v_endpoints);
END
$$;

-- Saves the outcomes of a turn, under the locks of their queues. Returns the endpoints that were used, and for each its account.
CREATE OR REPLACE FUNCTION save_outcomes(p_outcomes jsonb, OUT accounts uuid[], OUT endpoints uuid[]) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  WITH outcomes AS MATERIALIZED (
    SELECT d.id, d.attempts, d.secret_id, o."wasSent", o.attempt, o.attempt ->> 'error' AS error,
      now() + o."retryMs" * interval '1 millisecond' AS retry_at, now() + o."restMs" * interval '1 millisecond' AS rests_until,
      -- A delivery that this service cannot send for a day fails: its attempts would have ended by then.
      o.attempt ->> 'error' IS NULL OR d.replaced_by IS NOT NULL OR o.attempt ->> 'error' = 'key_revoked' OR coalesce(o."isGone", false)
        OR CASE WHEN o."wasSent" THEN d.attempts >= 5 ELSE d.created_at < now() - interval '1 day' END AS has_ended
    FROM jsonb_to_recordset(p_outcomes) AS o (id uuid, "wasSent" boolean, "retryMs" float8, "restMs" float8, "isGone" boolean, attempt jsonb)
    -- OFFSET 0: looks up each row by itself, instead of scanning all that are being sent.
    CROSS JOIN LATERAL (SELECT * FROM deliveries WHERE id = o.id OFFSET 0) AS d
    WHERE d.state = 'sending' AND d.attempts = (o.attempt ->> 'number')::int
  ), saved AS (
    UPDATE deliveries AS d SET
      state = CASE WHEN o.error IS NULL THEN 'delivered' WHEN has_ended THEN 'failed' ELSE 'waiting' END,
      -- A message that a chat would not take yet stays before those that came after it: its endpoint rests.
      due_at = CASE WHEN has_ended THEN NULL WHEN o.rests_until IS NULL THEN retry_at ELSE d.created_at END,
      ended_at = CASE WHEN has_ended THEN now() END,
      secret_id = CASE WHEN NOT has_ended THEN d.secret_id END,
      attempts = d.attempts - (NOT o."wasSent")::int,
      attempt_log = CASE WHEN o."wasSent" OR o.error = 'key_revoked' THEN d.attempt_log || o.attempt ELSE d.attempt_log END
    FROM outcomes AS o WHERE d.id = o.id
    -- What was interrupted, not sent or must wait says nothing about the receiver.
    RETURNING d.account_id, d.endpoint_id, d.receiver_id, o.secret_id, o.rests_until,
      CASE WHEN coalesce(o.error, '') NOT IN ('interrupted', 'key_revoked') AND o.rests_until IS NULL
        THEN o.error IS NOT NULL END AS has_failed
  ), health AS (
    -- An endpoint that took anything is not failing.
    SELECT account_id, endpoint_id, bool_and(has_failed) AS is_failing, max(rests_until) AS rests_until
    FROM saved GROUP BY account_id, endpoint_id
  ), changed AS (
    UPDATE endpoints AS e SET is_failing = coalesce(h.is_failing, e.is_failing), rests_until = greatest(e.rests_until, h.rests_until)
    FROM health AS h WHERE e.id = h.endpoint_id AND (e.is_failing <> h.is_failing OR h.rests_until IS NOT NULL)
  ), failures AS (
    -- Since when, and on how many days, every attempt at the webhook has failed.
    UPDATE webhooks AS w SET failing_since = CASE WHEN is_failing THEN coalesce(failing_since, now()) END,
      failed_on = CASE WHEN is_failing THEN today END,
      failed_days = CASE WHEN is_failing THEN failed_days + (failed_on IS DISTINCT FROM today)::int ELSE 0 END
    FROM (SELECT e.account_id, e.url, h.is_failing, (now() AT TIME ZONE 'UTC')::date AS today
      FROM health AS h JOIN endpoints AS e ON e.id = h.endpoint_id WHERE h.is_failing IS NOT NULL) AS known
    WHERE w.account_id = known.account_id AND w.url = known.url AND w.failed_on IS DISTINCT FROM CASE WHEN is_failing THEN today END
  ), receiver_failures AS (
    -- The same of receivers, whose address and secret may be others by now.
    UPDATE receivers AS r SET failing_since = CASE WHEN is_failing THEN coalesce(failing_since, now()) END,
      failed_on = CASE WHEN is_failing THEN today END,
      failed_days = CASE WHEN is_failing THEN failed_days + (failed_on IS DISTINCT FROM today)::int ELSE 0 END
    FROM (SELECT receiver_id, secret_id, bool_and(has_failed) AS is_failing, (now() AT TIME ZONE 'UTC')::date AS today
      FROM saved WHERE receiver_id IS NOT NULL AND has_failed IS NOT NULL GROUP BY receiver_id, secret_id) AS known
    WHERE r.id = known.receiver_id AND r.secret_id = known.secret_id
      AND r.failed_on IS DISTINCT FROM CASE WHEN is_failing THEN today END
  )
  SELECT array_agg(account_id), array_agg(endpoint_id) INTO accounts, endpoints FROM health;
END
$$;

-- Chooses up to p_most due deliveries, of the queues that are due and of those that have room again, round robin. Returns the accounts
-- and endpoints that it looked at, whose next turn `make_due` sets.
CREATE OR REPLACE FUNCTION choose_deliveries(
  p_due_accounts uuid[], p_due_at timestamptz[], p_accounts uuid[], p_endpoints uuid[], p_most integer,
  OUT accounts uuid[], OUT endpoints uuid[], OUT chosen uuid[]
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  WITH turns AS MATERIALIZED (
    SELECT account_id, min(due_at) AS due_at, array_agg(endpoint_id) AS used, 64 - (
      SELECT count(*) FROM deliveries AS d WHERE d.account_id = given.account_id AND d.state = 'sending') AS room
    FROM (
      SELECT account_id, due_at, NULL::uuid AS endpoint_id FROM unnest(p_due_accounts, p_due_at) AS due (account_id, due_at)
      UNION ALL SELECT account_id, NULL, endpoint_id FROM unnest(p_accounts, p_endpoints) AS saved (account_id, endpoint_id)) AS given
    GROUP BY account_id
  ), due_endpoints AS MATERIALIZED (
    SELECT e.*, t.account_id, t.due_at AS queue_due_at, t.room FROM turns AS t CROSS JOIN LATERAL (
      (SELECT id, due_at, is_failing, at_once, rests_until FROM endpoints
        WHERE account_id = t.account_id AND due_at <= now() ORDER BY due_at LIMIT 64)
      UNION SELECT id, due_at, is_failing, at_once, rests_until FROM endpoints WHERE id = ANY (t.used)) AS e
  ), next_deliveries AS (
    SELECT d.id, e.account_id, e.id AS endpoint_id, e.due_at, e.queue_due_at, e.room,
      row_number() OVER (PARTITION BY e.id ORDER BY d.due_at) AS place
    FROM due_endpoints AS e CROSS JOIN LATERAL (
      SELECT d.id, d.due_at FROM deliveries AS d
      WHERE d.endpoint_id = e.id AND d.state = 'waiting' AND d.due_at <= now() AND (d.job_id IS NULL OR NOT EXISTS (
        SELECT FROM deliveries AS o
        WHERE o.job_id = d.job_id AND o.ended_at IS NULL AND o.job_version < d.job_version
          AND o.endpoint_id = d.endpoint_id AND (o.state = 'sending' OR o.due_at <= now())))
      ORDER BY d.due_at LIMIT greatest(0, CASE WHEN e.rests_until > now() THEN 0 WHEN e.is_failing THEN 1 ELSE e.at_once END - (
        SELECT count(*) FROM deliveries AS s WHERE s.account_id = e.account_id AND s.state = 'sending' AND s.endpoint_id = e.id))) AS d
  ), candidates AS (
    SELECT id, queue_due_at, room, row_number() OVER (PARTITION BY account_id ORDER BY place, due_at, endpoint_id) AS place
    FROM next_deliveries
  ), first AS (
    SELECT id FROM candidates WHERE place <= room ORDER BY place, queue_due_at NULLS LAST LIMIT p_most
  )
  SELECT ARRAY (SELECT account_id FROM turns), ARRAY (SELECT id FROM due_endpoints), ARRAY (SELECT id FROM first)
  INTO accounts, endpoints, chosen;
END
$$;

-- Sets when endpoints and their queues have their next turn: what still has due deliveries goes behind all that is due already.
CREATE OR REPLACE FUNCTION make_due(p_accounts uuid[], p_endpoints uuid[]) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  UPDATE endpoints AS e SET due_at = next.due_at FROM (
    SELECT id, CASE WHEN CASE WHEN is_failing THEN 1 ELSE at_once END > (
      SELECT count(*) FROM deliveries AS s WHERE s.account_id = one.account_id AND s.state = 'sending' AND s.endpoint_id = one.id) THEN (
      SELECT greatest(d.due_at, now(), one.rests_until) FROM deliveries AS d
      WHERE d.endpoint_id = one.id AND d.state = 'waiting' AND (d.job_id IS NULL OR NOT EXISTS (
        SELECT FROM deliveries AS o
        WHERE o.job_id = d.job_id AND o.ended_at IS NULL AND o.job_version < d.job_version
          AND o.endpoint_id = d.endpoint_id AND (o.state = 'sending' OR o.due_at <= now())))
      ORDER BY d.due_at LIMIT 1) END AS due_at
    FROM endpoints AS one WHERE id = ANY (p_endpoints)) AS next
  WHERE e.id = next.id AND e.due_at IS DISTINCT FROM next.due_at;
  UPDATE queues AS q SET due_at = next.due_at FROM (
    SELECT account_id, CASE WHEN 64 > (
      SELECT count(*) FROM deliveries AS d WHERE d.account_id = one.account_id AND d.state = 'sending') THEN (
      SELECT greatest(e.due_at, now()) FROM endpoints AS e
      WHERE e.account_id = one.account_id AND e.due_at IS NOT NULL ORDER BY e.due_at LIMIT 1) END AS due_at
    FROM queues AS one WHERE account_id = ANY (p_accounts)) AS next
  WHERE q.account_id = next.account_id AND q.due_at IS DISTINCT FROM next.due_at;
END
$$;
