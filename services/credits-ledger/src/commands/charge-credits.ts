import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { chargeReply } from '../domain/debt-replies.ts';

export const chargeCredits = onCommand(
  creditsLedger.chargeCredits,
  async ({ ledger }: Pick<Deps, 'ledger'>, request, context) => {
    const answer = await ledger.charge(request);
    context.record.add({ ref: request.ref, amount: request.amount, charge: answer.outcome });
    return chargeReply(request.ref, answer);
  },
);
