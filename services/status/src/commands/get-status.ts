import { status } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { readStatus } from '../application/read-status.ts';
import type { Deps } from '../deps.ts';

export const getStatus = onCommand(
  status.getStatus,
  async ({ db, now, latency }: Pick<Deps, 'db' | 'now' | 'latency'>) => {
    const at = await now();
    const [observed, bounds] = await Promise.all([readStatus({ db }, at), latency.read(at)]);
    return { ...observed, latency: bounds };
  },
);
