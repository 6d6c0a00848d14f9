import type { refundCharge as contract, ReplyOf, RequestOf } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { refundReply } from '../domain/replies.ts';

export const refundCharge =
  ({ ledger }: Pick<Deps, 'ledger'>) =>
  async ({ ref }: RequestOf<typeof contract>, context: Context): Promise<ReplyOf<typeof contract>> => {
    const answer = await ledger.refund(ref, context.requestId);
    context.record.add({ ref, refund: answer.outcome });
    return refundReply(ref, answer);
  };
