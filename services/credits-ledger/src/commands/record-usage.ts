import type { recordUsage as contract, ReplyOf, RequestOf } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { recordUsage as add } from '../store/usage.ts';

export const recordUsage =
  ({ db }: Pick<Deps, 'db'>) =>
  async ({ id, items }: RequestOf<typeof contract>, context: Context): Promise<ReplyOf<typeof contract>> => {
    const isNews = await add(db, id, items);
    context.record.add({ batch: id, items: items.length, isNews });
    return { isNews };
  };
