import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { purchaseReply } from '../domain/block-replies.ts';

export const grantPurchase = onCommand(
  creditsLedger.grantPurchase,
  async ({ ledger }: Pick<Deps, 'ledger'>, request, { requestId, record }) => {
    const answer = await ledger.grantPurchase({ ...request, requestId });
    record.add({ ref: request.ref, amount: request.amount, grant: answer.outcome });
    return purchaseReply(request.ref, answer);
  },
);
