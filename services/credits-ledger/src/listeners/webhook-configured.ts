import { webhookDispatcher } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import { takeThreshold } from '../application/take-threshold.ts';
import type { Deps } from '../deps.ts';

export const webhookConfigured = onEvent(
  webhookDispatcher.webhookConfigured,
  (deps: Pick<Deps, 'db' | 'messaging'>, told, context) =>
    takeThreshold(deps, told, told.lowBalanceThreshold, context),
);
