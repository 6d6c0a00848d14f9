import type { Kit, Sql } from '@tds/service-kit';
import type { VideoPlatform } from '@tds/video-platform';
import { untoldDues, waitingRows } from '../store/backlogs.ts';
import type { Surface } from '../surface.ts';

const SECOND_MS = 1_000;

/** Notes what a check of a known video found: by how many ways it was fetched, and by how many not. */
export type CountChecks = (checks: { readonly passed: number; readonly failed: number }) => void;

export const measureCanary = ({ measures }: Kit<Surface>): CountChecks => {
  const checks = measures.counter({
    name: 'tds_canary_checks_total',
    help: 'Ways to the platform by which a known video was fetched, or was not',
    labels: ['outcome'],
  });
  for (const outcome of ['passed', 'failed']) checks.inc({ outcome }, 0);
  return (found) => {
    for (const outcome of ['passed', 'failed'] as const) checks.inc({ outcome }, found[outcome]);
  };
};

/** What operators see of the platform, and of the work that waits for it and for the ledger. */
export const measureWork = (
  { measures, onBacklog }: Kit<Surface>,
  { sql, platform }: { readonly sql: Sql; readonly platform: VideoPlatform },
): void => {
  const open = measures.gauge({
    name: 'tds_circuit_open',
    help: '1 while a way to the platform fails: it is given up, or one request at a time finds out',
    labels: ['strategy', 'exit'],
  });
  const failed = measures.gauge({
    name: 'tds_circuit_failed_seconds',
    help: 'How long ago a way to the platform failed last: one that nobody needs stays given up',
    labels: ['strategy', 'exit'],
  });
  measures.onScrape({
    sets: [open, failed],
    collect: () => {
      for (const { strategy, egress, state, lastFailureAt } of platform.strategyHealth()) {
        const labels = { strategy, exit: egress };
        open.set(labels, state === 'closed' ? 0 : 1);
        if (lastFailureAt) failed.set(labels, (Date.now() - lastFailureAt.getTime()) / SECOND_MS);
      }
    },
  });
  onBacklog('reads', () => waitingRows(sql, 0));
  onBacklog('rows', () => waitingRows(sql, 1));
  onBacklog('charges', () => untoldDues(sql));
};
