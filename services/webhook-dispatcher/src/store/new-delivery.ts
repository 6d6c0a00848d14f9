import { randomUUID } from 'node:crypto';
import type { WebhookKind } from '@tds/contracts';
import type { Db } from './database.ts';

export type NewDelivery = {
  readonly id: string;
  readonly accountId: string;
  readonly eventId: string;
  readonly kind: WebhookKind;
  readonly body: string;
  readonly url: string;
  /** Null if it is not sent: it is kept as one that has failed, and can be sent again. */
  readonly secretId: string | null;
  readonly isOverride: boolean;
  readonly jobId: string | null;
  readonly jobVersion: number | null;
  readonly monitorId: string | null;
  readonly resentFrom: string | null;
};

/** Puts a delivery into its account's queue, once per id. False where it is there already. The queue is held. */
export const insertDelivery = async (tx: Db, given: NewDelivery): Promise<boolean> => {
  const isSent = given.secretId !== null;
  const inserted = await tx.$executeRaw`
    WITH queue AS (
      UPDATE queues SET due_at = least(due_at, now()) WHERE account_id = ${given.accountId}::uuid AND ${isSent}
    ), endpoint AS (
      INSERT INTO endpoints (id, account_id, url, due_at, used_at)
      VALUES (${randomUUID()}::uuid, ${given.accountId}::uuid, ${given.url},
        CASE WHEN ${isSent} THEN now() END, now())
      ON CONFLICT (account_id, url) DO UPDATE SET due_at = least(endpoints.due_at, excluded.due_at), used_at = now()
      RETURNING id
    )
    INSERT INTO deliveries (id, account_id, endpoint_id, event_id, kind, body, secret_id, is_override, job_id,
      job_version, monitor_id, resent_from, state, due_at, ended_at, created_at)
    SELECT ${given.id}::uuid, ${given.accountId}::uuid, endpoint.id, ${given.eventId}::uuid, ${given.kind}, ${given.body},
      ${given.secretId}::uuid, ${given.isOverride}, ${given.jobId}::uuid, ${given.jobVersion}::bigint,
      ${given.monitorId}, ${given.resentFrom}::uuid, CASE WHEN ${isSent} THEN 'waiting' ELSE 'failed' END,
      CASE WHEN ${isSent} THEN now() END, CASE WHEN NOT ${isSent} THEN now() END, now()
    FROM endpoint
    ON CONFLICT (id) DO NOTHING`;
  return inserted > 0;
};

/** A delivery that has not ended is attempted no more: what is under way ends with its own outcome. The queue is held. */
export const replaceDelivery = async (tx: Db, id: string, replacedBy: string): Promise<void> => {
  await tx.$executeRaw`
    UPDATE deliveries SET replaced_by = ${replacedBy}::uuid WHERE id = ${id}::uuid AND state = 'sending'`;
  await tx.$executeRaw`
    UPDATE deliveries SET replaced_by = ${replacedBy}::uuid, state = 'failed', due_at = NULL, secret_id = NULL, ended_at = now()
    WHERE id = ${id}::uuid AND state = 'waiting'`;
};
