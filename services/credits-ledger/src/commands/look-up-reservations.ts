import type { lookUpReservations as contract, ReplyOf, RequestOf } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { readStates } from '../store/reservations.ts';

export const lookUpReservations =
  ({ sql }: Pick<Deps, 'sql'>) =>
  async ({ refs }: RequestOf<typeof contract>): Promise<ReplyOf<typeof contract>> => ({
    rows: await readStates(sql, refs),
  });
