import type { bulkOrchestrator, PayloadOf, WebhookKind } from '@tds/contracts';
import type { ListenerContext } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { promiseEvent } from './promise-event.ts';

type JobKind = Extract<WebhookKind, `job.${string}`>;
type Told = PayloadOf<typeof bulkOrchestrator.jobCompleted>;

const toPromised = (kind: JobKind, told: Told, { messageId }: ListenerContext) => ({
  id: messageId,
  kind,
  accountId: told.accountId,
  overrideUrl: told.webhookUrl,
  monitorId: told.monitorId,
  job: { id: told.jobId, version: told.version },
  data: {
    job_id: told.jobId,
    monitor_id: told.monitorId,
    version: told.version,
    status: told.status,
    pause_reason: told.pauseReason,
    resumes_at: told.resumesAt,
    name: told.name,
    metadata: told.metadata,
    counts: told.counts,
    credits: told.credits,
  },
});

/** What a job tells becomes a delivery, in the transaction that notes that it was heard. */
export const promiseJobEvent =
  (kind: JobKind) =>
  async ({ db, messaging, sender }: Deps, told: Told, context: ListenerContext): Promise<void> => {
    await messaging.transaction(db, (tx, send) =>
      context.once(tx, async () => {
        await promiseEvent({ tx, send }, toPromised(kind, told, context));
      }),
    );
    sender.wake();
  };
