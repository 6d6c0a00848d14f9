import { webhookDispatcher } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

/** A job's answers say how far the delivery of its newest event is, in whatever order that is told. */
export const jobDeliveryChanged = onEvent(
  webhookDispatcher.jobDeliveryChanged,
  async ({ db }: Deps, { jobId: id, status: webhookStatus, version: webhookVersion }) => {
    const where = { id, webhookVersion: { lt: webhookVersion } };
    await db.job.updateMany({ where, data: { webhookStatus, webhookVersion } });
  },
);
