import { withClient } from '@tds/servers';
import { dueRows } from '@tds/test-kit';
import type { TestSystem } from './system.ts';

/** What waits for work in a service of the system. */
export const waitingRows = <const Service extends string>(
  { databases }: Pick<TestSystem, 'databases'>,
  service: Service,
) =>
  dueRows(service, (text, values) =>
    withClient(String(databases[service]?.adminUrl), (admin) => admin.query(text, values)),
  );

/** Makes feeds due now, instead of in 15 minutes. */
export const fifteenMinutesPass = (system: Pick<TestSystem, 'databases'>): Promise<number> =>
  waitingRows(system, 'monitor-scheduler').makeDue('feeds', { where: 'watchers > 0' });
