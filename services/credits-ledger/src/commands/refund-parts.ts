import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { refundReply } from '../domain/replies.ts';

export const refundParts = onCommand(
  creditsLedger.refundParts,
  async ({ ledger }: Pick<Deps, 'ledger'>, { ref, parts }, context) => {
    const answer = await ledger.refund({ ref, parts, requestId: context.requestId });
    context.record.add({ ref, parts: parts.length, refund: answer.outcome });
    return refundReply(answer);
  },
);
