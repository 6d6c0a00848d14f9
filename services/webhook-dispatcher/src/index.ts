import { webhookDispatcher } from '@tds/contracts';
import { defineService, onEvent } from '@tds/service-kit';
import { retakeWebhook } from './application/retake-webhook.ts';
import { checkWebhookUrl } from './commands/check-webhook-url.ts';
import { deleteWebhook } from './commands/delete-webhook.ts';
import { getDelivery } from './commands/get-delivery.ts';
import { getWebhook } from './commands/get-webhook.ts';
import { listDeliveries } from './commands/list-deliveries.ts';
import { putWebhook } from './commands/put-webhook.ts';
import { resendDelivery } from './commands/resend-delivery.ts';
import { sendTestEvent } from './commands/send-test-event.ts';
import { createDeps } from './create-deps.ts';
import type { Deps } from './deps.ts';
import { accountStatusChanged } from './listeners/account-status-changed.ts';
import { balanceRanLow } from './listeners/balance-ran-low.ts';
import { jobCompleted } from './listeners/job-completed.ts';
import { jobFailed } from './listeners/job-failed.ts';
import { jobPaused } from './listeners/job-paused.ts';
import { jobResumed } from './listeners/job-resumed.ts';
import { newVideosFound } from './listeners/new-videos-found.ts';
import { endAbandonedAttempts } from './schedules/end-abandoned-attempts.ts';
import { purgeOldRows } from './schedules/purge-old-rows.ts';
import { resealSecrets } from './schedules/reseal-secrets.ts';
import { sendDeliveries } from './schedules/send-deliveries.ts';
import { surface } from './surface.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: {
    getWebhook,
    putWebhook,
    deleteWebhook,
    checkWebhookUrl,
    sendTestEvent,
    listDeliveries,
    getDelivery,
    resendDelivery,
  },
  subscriptions: {
    jobCompleted,
    jobFailed,
    jobPaused,
    jobResumed,
    newVideosFound,
    accountStatusChanged,
    balanceRanLow,
  },
  onOwnLostEvents: {
    webhookChanged: onEvent(webhookDispatcher.webhookChanged, (deps: Deps, told, context) =>
      retakeWebhook(deps, told, context),
    ),
  },
  schedules: { sendDeliveries, endAbandonedAttempts, purgeOldRows, resealSecrets },
});
