import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { disputeReply } from '../domain/debt-replies.ts';

export const disputeCredits = onCommand(
  creditsLedger.disputeCredits,
  async ({ ledger }: Pick<Deps, 'ledger'>, request, context) => {
    const answer = await ledger.dispute({ ...request, requestId: context.requestId });
    context.record.add({ ref: request.ref, amount: request.amount, dispute: answer.outcome });
    return disputeReply(request.ref, answer);
  },
);
