import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { resolveReply } from '../domain/replies.ts';

export const resolveParts = onCommand(
  creditsLedger.resolveParts,
  async ({ ledger }: Pick<Deps, 'ledger'>, { ref, charge, giveBack }, context) => {
    const { requestId, signal } = context;
    const reply = resolveReply(await ledger.resolve({ ref, charge, giveBack, requestId }, signal));
    context.record.add({
      ref,
      charge: charge.length,
      giveBack: giveBack.length,
      charged: reply.charged.length,
    });
    return reply;
  },
);
