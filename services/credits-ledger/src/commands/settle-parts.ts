import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { settlePartsReply } from '../domain/parts-replies.ts';

export const settleParts = onCommand(
  creditsLedger.settleParts,
  async ({ ledger }: Pick<Deps, 'ledger'>, { ref, parts }, context) => {
    const answer = await ledger.settleParts({ ref, parts, requestId: context.requestId });
    context.record.add({ ref, parts: parts.length, reservation: answer.outcome });
    return settlePartsReply(ref, answer);
  },
);
