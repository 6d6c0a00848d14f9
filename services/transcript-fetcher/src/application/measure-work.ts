import type { Kit, Sql } from '@tds/service-kit';
import type { VideoPlatform } from '@tds/video-platform';
import { untoldDues, waitingRows } from '../store/backlogs.ts';
import type { Surface } from '../surface.ts';

/** What operators see of the platform, and of the work that waits for it and for the ledger. */
export const measureWork = (
  { measures, onBacklog }: Kit<Surface>,
  { sql, platform }: { readonly sql: Sql; readonly platform: VideoPlatform },
): void => {
  const open = measures.gauge({
    name: 'tds_circuit_open',
    help: '1 while a way to the platform is not tried because it fails',
    labels: ['strategy', 'exit'],
  });
  measures.onScrape({
    sets: [open],
    collect: () => {
      for (const { strategy, egress, state } of platform.strategyHealth())
        open.set({ strategy, exit: egress }, state === 'open' ? 1 : 0);
    },
  });
  onBacklog('reads', () => waitingRows(sql, 0));
  onBacklog('rows', () => waitingRows(sql, 1));
  onBacklog('charges', () => untoldDues(sql));
};
