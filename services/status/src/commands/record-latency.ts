import { status } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { saveLatency } from '../store/latency.ts';

export const recordLatency = onCommand(
  status.recordLatency,
  async ({ db }: Pick<Deps, 'db'>, { instance, slots }) => {
    await saveLatency(db, instance, slots);
    return {};
  },
);
