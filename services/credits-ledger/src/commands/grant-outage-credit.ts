import {
  type grantOutageCredit as contract,
  grantOutageCredits,
  type RequestOf,
  utcDay,
} from '@tds/contracts';
import type { Deps } from '../deps.ts';

export const grantOutageCredit =
  ({ db, messaging, now }: Pick<Deps, 'db' | 'messaging' | 'now'>) =>
  async ({ day }: RequestOf<typeof contract>): Promise<Record<never, never>> => {
    if (day >= utcDay(now())) throw new Error(`the day ${day} is not over`);
    await messaging.transaction(db, (_tx, send) => send.enqueue(grantOutageCredits, { day }));
    return {};
  };
