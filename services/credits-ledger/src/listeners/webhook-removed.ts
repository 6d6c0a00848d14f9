import { webhookDispatcher } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import { takeThreshold } from '../application/take-threshold.ts';
import type { Deps } from '../deps.ts';

/** Nobody is to be told any more. */
export const webhookRemoved = onEvent(
  webhookDispatcher.webhookRemoved,
  (deps: Pick<Deps, 'db' | 'messaging'>, told, context) => takeThreshold(deps, told, null, context),
);
