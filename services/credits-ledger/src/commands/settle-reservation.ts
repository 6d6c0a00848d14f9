import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { resolveReply } from '../domain/replies.ts';

export const settleReservation = onCommand(
  creditsLedger.settleReservation,
  async ({ ledger }: Pick<Deps, 'ledger'>, { ref }, context) => {
    const answer = await ledger.settle({ ref, requestId: context.requestId }, context.signal);
    context.record.add({ ref, reservation: answer.outcome });
    return resolveReply(ref, answer);
  },
);
