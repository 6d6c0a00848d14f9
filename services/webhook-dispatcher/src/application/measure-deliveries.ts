import type { Kit } from '@tds/service-kit';
import { overdueQueues } from '../store/backlog.ts';
import type { Claimed } from '../store/claims.ts';
import type { Database } from '../store/database.ts';
import type { Surface } from '../surface.ts';

const BUCKETS_SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800];

/** What operators see of deliveries; what it returns notes how late claimed ones leave. */
export const measureDeliveries = ({ measures, onBacklog }: Kit<Surface>, db: Database) => {
  const lag = measures.histogram(
    { name: 'tds_delivery_lag_seconds', help: 'Time from when a delivery could leave to its attempt' },
    BUCKETS_SECONDS,
  );
  onBacklog('deliveries', () => overdueQueues(db));
  return (claimed: Claimed[]): Claimed[] => {
    for (const { lagSeconds } of claimed) lag.observe(lagSeconds);
    return claimed;
  };
};
