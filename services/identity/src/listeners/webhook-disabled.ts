import { webhookDispatcher } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import { notifyOnce } from '../application/notify.ts';
import type { Deps } from '../deps.ts';

/** One mail for each time that it happens. */
export const webhookDisabled = onEvent(
  webhookDispatcher.webhookDisabled,
  (deps: Pick<Deps, 'db' | 'messaging'>, { accountId, host }, context) =>
    notifyOnce(deps, { accountId, read: async () => ({ kind: 'webhook_disabled', host }) }, context),
);
