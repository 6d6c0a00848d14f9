import type { ObservedStatus } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { observeStatus } from '../domain/observed-status.ts';
import { readCanary, readReports } from '../store/reports.ts';

/** How new work fares now. */
export const readStatus = async ({ db }: Pick<Deps, 'db'>, now: Date): Promise<ObservedStatus> => {
  const [reports, canary] = await Promise.all([readReports(db), readCanary(db)]);
  return observeStatus(reports, canary, now);
};
