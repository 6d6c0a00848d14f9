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
  readonly secretId: string;
  readonly isOverride: boolean;
  readonly jobId: string | null;
  readonly jobVersion: number | null;
  readonly monitorId: string | null;
  readonly resentFrom: string | null;
};

/** Puts a delivery into its account's queue, once per id. False where it is there already. The queue is held. */
export const insertDelivery = async (tx: Db, given: NewDelivery): Promise<boolean> => {
  const inserted = await tx.$executeRaw`
    WITH queue AS (
      UPDATE queues SET due_at = least(due_at, now()) WHERE account_id = ${given.accountId}::uuid
    ), endpoint AS (
      INSERT INTO endpoints (id, account_id, url, due_at, used_at)
      VALUES (${randomUUID()}::uuid, ${given.accountId}::uuid, ${given.url}, now(), now())
      ON CONFLICT (account_id, url) DO UPDATE SET due_at = least(endpoints.due_at, excluded.due_at), used_at = now()
      RETURNING id
    )
    INSERT INTO deliveries (id, account_id, endpoint_id, event_id, kind, body, secret_id, is_override, job_id,
      job_version, monitor_id, resent_from, due_at, created_at)
    SELECT ${given.id}::uuid, ${given.accountId}::uuid, endpoint.id, ${given.eventId}::uuid, ${given.kind}, ${given.body},
      ${given.secretId}::uuid, ${given.isOverride}, ${given.jobId}::uuid, ${given.jobVersion}::bigint,
      ${given.monitorId}, ${given.resentFrom}::uuid, now(), now()
    FROM endpoint
    ON CONFLICT (id) DO NOTHING`;
  return inserted > 0;
};
