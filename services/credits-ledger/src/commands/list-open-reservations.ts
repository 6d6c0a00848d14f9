import type { listOpenReservations as contract, ReplyOf, RequestOf } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { readOpenReservations } from '../store/reservations.ts';

export const listOpenReservations =
  ({ sql }: Pick<Deps, 'sql'>) =>
  async (request: RequestOf<typeof contract>): Promise<ReplyOf<typeof contract>> => ({
    rows: await readOpenReservations(sql, request),
  });
