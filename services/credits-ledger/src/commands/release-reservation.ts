import type { releaseReservation as contract, ReplyOf, RequestOf } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { resolveReply } from '../domain/replies.ts';

export const releaseReservation =
  ({ ledger }: Pick<Deps, 'ledger'>) =>
  async ({ ref }: RequestOf<typeof contract>, context: Context): Promise<ReplyOf<typeof contract>> => {
    const answer = await ledger.release({ ref, request_id: context.requestId }, context.signal);
    context.record.add({ ref, reservation: answer.outcome });
    return resolveReply(answer);
  };
