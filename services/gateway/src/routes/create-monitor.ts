import { monitorScheduler, routes, serviceError } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { answersOf } from './route-answer.ts';
import { type Input, onRoute } from './route-handler.ts';

const created = answersOf(routes.createMonitor, 201);
const found = answersOf(routes.createMonitor, 200);

/** The one source that the body names. */
const sourceOf = ({ channel, playlist }: Input<typeof routes.createMonitor>['body']) => {
  if (channel !== undefined && playlist !== undefined)
    throw serviceError('conflicting_query_modes', { message: 'Send channel or playlist, not both.' });
  if (channel !== undefined) return { channel };
  if (playlist !== undefined) return { playlist };
  throw serviceError('monitor_source_required');
};

/** A monitor of the key's account: it outlives the key. */
export const createMonitor = onRoute(
  routes.createMonitor,
  async ({ call }: Pick<Deps, 'call'>, { principal, body, idempotencyKey, callContext }) => {
    const { auto_fetch: autoFetch, language, fallback, webhook_url: webhookUrl = null } = body;
    const { accountId, tier, keyId } = principal;
    const source = sourceOf(body);
    const settings = { source, autoFetch, language, fallback, webhookUrl };
    const asked = { accountId, tier, keyId, idempotencyKey, ...settings };
    const { monitor, isIdempotent } = await call(monitorScheduler.createMonitor, asked, callContext);
    return isIdempotent
      ? found.json({ idempotent: true, monitor })
      : created.json({ idempotent: false, monitor });
  },
);
