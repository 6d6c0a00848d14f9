import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { refundReply } from '../domain/replies.ts';

export const refundCharge = onCommand(
  creditsLedger.refundCharge,
  async ({ ledger }: Pick<Deps, 'ledger'>, { ref }, context) => {
    const answer = await ledger.refund(ref, context.requestId);
    context.record.add({ ref, refund: answer.outcome });
    return refundReply(ref, answer);
  },
);
