import { ask, askAll, type BookCheck, type Breach, type Evidence, TRAVEL_SECONDS } from './evidence.ts';

const MAX_ATTEMPTS = 5;
/** Longer than an attempt and its lease, and the take-over after a death. */
const OVERDUE_SECONDS = 180;
const LIMIT = 50;

/**
 * An attempt counts when it begins; what became of it is known when the delivery has ended. Without one fail events of a disabled webhook, and
 * before the last one those that another delivery has replaced, those of a deleted receiver, and those for the address of a revoked key: that
 * is logged and no attempt.
 */
const ODD_ATTEMPTS = `
  SELECT id, format('%s, %s attempts, of which %s are logged', state, attempts, jsonb_path_query_array(attempt_log, '$[*].error')) AS found
  FROM (SELECT *, state = 'failed' AND coalesce(attempt_log -> -1 ->> 'error' = 'key_revoked', false) AS was_refused FROM deliveries) AS d
  WHERE attempts > $1 OR ended_at IS NOT NULL AND jsonb_array_length(attempt_log) <> attempts + was_refused::int
    OR state = 'failed' AND (attempts NOT IN (0, $1) AND replaced_by IS NULL AND NOT was_refused
      AND (receiver_id IS NULL OR receiver_id IN (SELECT receivers.id FROM receivers WHERE deleted_at IS NULL)) OR attempt_log @@ 'exists($[*] ? (@.error == null))')
    OR state = 'delivered' AND (attempt_log -> -1 ->> 'error' IS NOT NULL
      OR jsonb_array_length(jsonb_path_query_array(attempt_log, '$[*] ? (@.error == null)')) <> 1)
  ORDER BY id LIMIT ${LIMIT}`;

/** Where others of its account are being sent, it has its turn behind them. */
const OVERDUE = `
  SELECT d.id, format('%s since %s', d.state, d.due_at) AS found FROM deliveries AS d
  WHERE d.ended_at IS NULL AND d.due_at < now() - $1 * interval '1 second' AND (d.state = 'sending' OR NOT EXISTS (
    SELECT FROM deliveries AS o WHERE o.account_id = d.account_id AND o.state = 'sending' AND o.due_at > now()))
  ORDER BY d.id LIMIT ${LIMIT}`;

/** Deliveries that are never due again. */
const FORGOTTEN = `
  SELECT d.id, 'no turn' AS found
  FROM deliveries AS d JOIN endpoints AS e ON e.id = d.endpoint_id LEFT JOIN queues AS q ON q.account_id = d.account_id
  WHERE d.state = 'waiting' AND (e.due_at IS NULL OR q.due_at IS NULL)
    AND NOT EXISTS (SELECT FROM deliveries AS o WHERE o.account_id = d.account_id AND o.state = 'sending')
  ORDER BY d.id LIMIT ${LIMIT}`;

const WEBHOOKS = 'SELECT account_id, updated_at, low_balance_threshold FROM webhooks WHERE enabled';
/** New videos have an id of their own, which is that of their delivery. */
const PUBLISHED = `
  SELECT coalesce((o.payload ->> 'newVideosId')::uuid, o.id) AS id FROM messaging.outbox AS o
  JOIN jsonb_to_recordset($1::jsonb) AS w (account_id text, updated_at timestamptz, low_balance_threshold int)
    ON w.account_id = o.payload ->> 'accountId'
  WHERE (o.subject ~ '\\.(job-(completed|failed|paused|resumed)|new-videos-found)\\.'
      OR o.subject LIKE '%.balance-ran-low.%' AND w.low_balance_threshold = (o.payload -> 'threshold')::int)
    AND o.created_at > w.updated_at + interval '10 seconds' AND o.created_at < now() - $2 * interval '1 second'`;
const MISSING = `
  SELECT id, 'none' AS found FROM unnest($1::uuid[]) AS event (id)
  WHERE NOT EXISTS (SELECT FROM deliveries WHERE deliveries.id = event.id) LIMIT ${LIMIT}`;

const dispatcherQuestion = { service: 'webhook-dispatcher', subject: 'delivery' };

/** Events since the last change of their account's webhook, which is committed some time after it began: what earlier ones required is unknown. */
const checkPromised = async (evidence: Evidence): Promise<Breach[]> => {
  const { rows, atRest } = evidence;
  const webhooks = JSON.stringify(await rows('webhook-dispatcher', WEBHOOKS));
  const waitSeconds = atRest ? 0 : TRAVEL_SECONDS;
  const breaches: Breach[] = [];
  for (const [service, event] of [
    ['bulk-orchestrator', 'an event of a job'],
    ['monitor-scheduler', 'new videos'],
    ['credits-ledger', 'a balance that ran low'],
  ] as const) {
    const published = await rows<{ id: string }>(service, PUBLISHED, [webhooks, waitSeconds]);
    const values = [published.map(({ id }) => id)];
    const question = { what: `delivery of ${event}`, expected: 'one' };
    breaches.push(...(await ask(evidence, { ...dispatcherQuestion, ...question, sql: MISSING, values })));
  }
  return breaches;
};

const questions = [
  { sql: ODD_ATTEMPTS, values: [MAX_ATTEMPTS], what: 'attempts of a delivery', expected: 'as it has ended' },
  { sql: OVERDUE, values: [OVERDUE_SECONDS], what: 'a delivery that is due', expected: 'sent or being sent' },
  { sql: FORGOTTEN, what: 'the turn of a delivery that waits', expected: 'one' },
].map((question) => ({ ...dispatcherQuestion, ...question }));

export const webhooksCheck: BookCheck = {
  invariant: 'I7',
  promise:
    'every event that was promised has a delivery, which was taken or has failed after five attempts, never six, unless its webhook was disabled, its receiver deleted, its key revoked or it was replaced',
  check: async (evidence) => [...(await askAll(evidence, questions)), ...(await checkPromised(evidence))],
};
