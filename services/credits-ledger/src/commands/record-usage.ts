import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { addUsage } from '../store/usage.ts';

export const recordUsage = onCommand(
  creditsLedger.recordUsage,
  async ({ db }: Pick<Deps, 'db'>, { id, items }, context) => {
    const isNews = await addUsage(db, id, items);
    context.record.add({ batch: id, items: items.length, isNews });
    return { isNews };
  },
);
