import {
  MOST_LISTED_MONITORS,
  type Monitor,
  monitorId,
  monitorScheduler,
  routes,
  serviceError,
} from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { compressible } from '../http/compression.ts';
import { callRoute } from './call-route.ts';
import { createMonitor } from './create-monitor.ts';
import { answersOf } from './route-answer.ts';
import { onRoute } from './route-handler.ts';

type Owned = {
  readonly principal: { readonly accountId: string };
  readonly params: Readonly<Record<string, string>>;
};

const owned = ({ principal: { accountId }, params }: Owned) => {
  const id = monitorId.safeParse(params.id);
  if (!id.success) throw serviceError('invalid_monitor_id');
  return { accountId, monitorId: id.data };
};

/** As many replies as it takes: one of them holds some hundred. */
const listMonitors = onRoute(routes.listMonitors, async ({ call }: Pick<Deps, 'call'>, input) => {
  const { accountId } = input.principal;
  const monitors: Monitor[] = [];
  for (let total = 1; monitors.length < Math.min(total, MOST_LISTED_MONITORS); ) {
    const asked = { accountId, offset: monitors.length };
    const page = await call(monitorScheduler.listMonitors, asked, input.callContext);
    if (page.monitors.length === 0) break;
    monitors.push(...page.monitors);
    total = page.total;
  }
  const newest = monitors.slice(0, MOST_LISTED_MONITORS);
  return compressible(answersOf(routes.listMonitors).json({ monitors: newest }));
});

export const monitorRoutes = {
  createMonitor,
  listMonitors,

  getMonitor: callRoute(routes.getMonitor, monitorScheduler.getMonitor, {
    request: owned,
    body: ({ monitor }) => ({ monitor }),
  }),

  listMonitorVideos: callRoute(routes.listMonitorVideos, monitorScheduler.listMonitorVideos, {
    request: (input) => ({ ...owned(input), limit: input.query.limit, offset: input.query.offset }),
    isCompressible: true,
    body: ({ videos, total }, input) => {
      const { limit, offset } = input.query;
      const rest = offset + videos.length;
      const path = `/v1/monitors/${owned(input).monitorId}/videos`;
      const next = rest < total ? `${path}?limit=${limit}&offset=${rest}` : null;
      return { videos, total, limit, offset, has_more: next !== null, next };
    },
  }),

  cancelMonitor: callRoute(routes.cancelMonitor, monitorScheduler.cancelMonitor, {
    request: owned,
    body: ({ monitor }) => ({ monitor }),
  }),
};
